/* SPDX-License-Identifier: MIT */
/* nolock.c - a preloaded library that makes file locks fail, as on a file
 * system without them. */
#include <errno.h>
#include <fcntl.h>

#include "syscalls.h"

static bool
before_syscall(long number, long a[6])
{
	if (number != SYS_fcntl ||
		(a[1] != F_OFD_SETLK && a[1] != F_OFD_SETLKW))
		return true;
	errno = ENOLCK;
	return false;
}
