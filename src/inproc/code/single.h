/* SPDX-License-Identifier: MIT */
/*
 * single.h - calls that the kernel refuses to a process with several threads.
 */
#ifndef WEFT_INPROC_CODE_SINGLE_H
#define WEFT_INPROC_CODE_SINGLE_H

#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>

/* Returns true if unshare() with these flags, or setns() of these kinds of
 * namespaces, 0 being any, wants a single thread. A mount namespace needs a
 * thread that shares its directories with no other. */
static inline bool
single_is_wanted(long number, int flags)
{
	const int unshares =
		CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
	const int enters = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWTIME;

	if (number == SYS_unshare)
		return (flags & unshares) != 0;
	return number == SYS_setns && (flags == 0 || (flags & enters) != 0);
}

#endif
