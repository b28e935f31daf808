/* SPDX-License-Identifier: MIT */
/* exits.c - hooks for exits that skip destructors, for dlclose and for
 * prctl. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "inproc/mem/drain.h"
#include "inproc/mem/first.h"
#include "inproc/mem/hook.h"
#include "inproc/mem/real.h"
#include "inproc/mem/track.h"

static __attribute__((noreturn)) void
leave(int code)
{
	real_find();
	if (track.is_on)
		drain_finish();
	real.exit_now(code);
	__builtin_unreachable();
}

HOOK void
_exit(int code)
{
	leave(code);
}

HOOK void
_Exit(int code)
{
	leave(code);
}

/* Programs call this before they install a filter of system calls. */
HOOK int
prctl(int what, ...)
{
	unsigned long with[4];
	va_list args;

	va_start(args, what);
	for (int i = 0; i < 4; i++)
		with[i] = va_arg(args, unsigned long);
	va_end(args);
	real_find();
	if (what == PR_SET_NO_NEW_PRIVS || what == PR_SET_SECCOMP)
		first_stop();
	return real.prctl(what, with[0], with[1], with[2], with[3]);
}

HOOK int
dlclose(void *handle)
{
	int code;

	real_find();
	if (!track.is_on)
		return real.dlclose(handle);
	drain_before_unload();
	code = real.dlclose(handle);
	drain_after_unload();
	return code;
}
