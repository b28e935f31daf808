/* SPDX-License-Identifier: MIT */
/*
 * single.c - calls that the kernel refuses to a process with several threads:
 * the recorder's writer thread must not count, so it pauses for the call.
 */
#include <sched.h>
#include <sys/syscall.h>

#include "inproc/collect/call.h"

/* The flags of unshare(), and the kinds of namespaces of setns(), 0 being any,
 * for which the kernel wants a single thread. A mount namespace needs a thread
 * that shares its directories with no other. */
enum {
	UNSHARES = CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM,
	ENTERS = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWTIME
};

bool
single_begin(long number, int flags)
{
	bool needs = number == SYS_unshare
		? (flags & UNSHARES) != 0
		: flags == 0 || (flags & ENTERS) != 0;

	return needs && collect_has != 0 && collect_is_free() && call_pause();
}

/* NOLINTBEGIN(bugprone-macro-parentheses) - lists of parameters */

#define SINGLE(name, version, flags, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		bool is_paused = single_begin(SYS_##name, flags); \
		int r = REAL_OF(name) args; \
\
		if (is_paused) \
			call_resume(); \
		return r; \
	}

SINGLE(unshare, "2.4", flags, (int flags), (flags))
SINGLE(setns, "2.14", kind, (int fd, int kind), (fd, kind))

/* NOLINTEND(bugprone-macro-parentheses) */
