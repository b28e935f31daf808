/* SPDX-License-Identifier: MIT */
/*
 * single.c - calls that the kernel refuses to a process with several threads,
 * or that change the rights of one thread: the recorder's writer thread must
 * not count, so it pauses for the call, and goes on with the rights of the
 * caller.
 */
#include "inproc/code/single.h"
#include "inproc/collect/call.h"

bool
single_begin(long number, int flags)
{
	return single_is_wanted(number, flags) && collect_has != 0 &&
		collect_is_free() && call_pause();
}

void
single_end(long number, int flags, bool is_paused, long r)
{
	if (r == 0 && single_is_for_good(number, flags) && collect_has != 0 &&
		collect_is_free())
		call_stay_alone();
	else if (is_paused)
		call_resume();
}

/* NOLINTBEGIN(bugprone-macro-parentheses) - lists of parameters */

#define SINGLE(name, version, flags, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		bool is_paused = single_begin(SYS_##name, flags); \
		int r = REAL_OF(name) args; \
\
		single_end(SYS_##name, flags, is_paused, r); \
		return r; \
	}

SINGLE(unshare, "2.4", flags, (int flags), (flags))
SINGLE(setns, "2.14", kind, (int fd, int kind), (fd, kind))
SINGLE(capset, "2.2.5", 0, (void *header, const void *data), (header, data))

/* NOLINTEND(bugprone-macro-parentheses) */
