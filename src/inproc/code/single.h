/* SPDX-License-Identifier: MIT */
/*
 * single.h - calls before which a recorder's own thread must have gone: the
 * kernel refuses them to a process with several threads, or they change the
 * rights of the calling thread alone. The C library ends the process when
 * setgroups() and its like succeed in one thread and fail in another.
 */
#ifndef WEFT_INPROC_CODE_SINGLE_H
#define WEFT_INPROC_CODE_SINGLE_H

#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Returns true if unshare() with these flags, setns() of these kinds of
 * namespaces, 0 being any, capset() or this operation of prctl() wants a single
 * thread. A mount namespace needs a thread that shares its directories with no
 * other. */
static inline bool
single_is_wanted(long number, int flags)
{
	const int unshares =
		CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
	const int enters = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWTIME;

	if (number == SYS_capset ||
		(number == SYS_prctl && flags == PR_SET_SECUREBITS))
		return true;
	if (number == SYS_unshare)
		return (flags & unshares) != 0;
	return number == SYS_setns && (flags == 0 || (flags & enters) != 0);
}

/* Returns true if the thread shall not come back after the call: a process that
 * moves to a user namespace of its own is a sandbox, which may check that it
 * has a single thread. */
static inline bool
single_is_for_good(long number, int flags)
{
	return number == SYS_unshare && (flags & CLONE_NEWUSER) != 0;
}

/* Returns the flags among the arguments of such a system call. */
static inline int
single_flags(long number, const unsigned long a[])
{
	return (int)a[number == SYS_setns ? 1 : 0];
}

#endif
