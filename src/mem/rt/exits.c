/* SPDX-License-Identifier: MIT */
/* exits.c - the ways out that leave destructors aside, and dlclose. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "mem/rt/drain.h"
#include "mem/rt/hook.h"
#include "mem/rt/real.h"
#include "mem/rt/track.h"

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
