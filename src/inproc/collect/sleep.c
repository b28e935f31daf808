/* SPDX-License-Identifier: MIT */
/*
 * sleep.c - sleeps, and waits for child processes and signals.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inproc/code/peek.h"
#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - the
 * arguments are types, and lists of parameters */

/* Returns 0 for a time that the kernel refuses. */
static uint64_t
ns_of(const struct timespec *at)
{
	struct timespec t;

	if (code_peek(&t, at, sizeof t) < sizeof t || t.tv_sec < 0 ||
		t.tv_nsec < 0)
		return 0;
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Returns how long a sleep until a time lasts. */
static uint64_t
ns_until(clockid_t clock, int flags, const struct timespec *t)
{
	uint64_t ns = ns_of(t);
	struct timespec now;

	if ((flags & TIMER_ABSTIME) == 0 || clock_gettime(clock, &now) != 0)
		return ns;
	return ns > ns_of(&now) ? ns - ns_of(&now) : 0;
}

/* Returns the process that waitid() waits for; -1: any one. */
static pid_t
child_of(idtype_t type, id_t id)
{
	if (type == P_PID)
		return (pid_t)id;
	return type == P_PIDFD ? fd_process((int)id) : -1;
}

#define SLEEPS(result, name, version, ns, params, args) \
	WAITS(SLEEP, result, name, version, \
		call_begin_sleep(&w, ns, CALLER, FRAME), params, args)

/* clang-format off */
SLEEPS(int, nanosleep, "2.2.5", ns_of(t),
	(const struct timespec *t, struct timespec *left), (t, left))
SLEEPS(int, usleep, "2.2.5", us * UINT64_C(1000), (useconds_t us), (us))
SLEEPS(unsigned, sleep, "2.2.5", s * (uint64_t)SECOND, (unsigned s), (s))
SLEEPS(int, thrd_sleep, "2.28", ns_of(t),
	(const struct timespec *t, struct timespec *left), (t, left))
SLEEPS(int, clock_nanosleep, "2.17", ns_until(clock, flags, t),
	(clockid_t clock, int flags, const struct timespec *t,
		struct timespec *left), (clock, flags, t, left))

#define WAITS_FOR_CHILD(name, waits, pid, params, args) \
	CALL(SLEEP, pid_t, name, "2.2.5", CALL_CHILD, waits, (uint32_t)(pid), \
		params, args)

WAITS_FOR_CHILD(wait, true, -1, (int *status), (status))
WAITS_FOR_CHILD(wait3, (options & WNOHANG) == 0, -1,
	(int *status, int options, struct rusage *used),
	(status, options, used))
WAITS_FOR_CHILD(wait4, (options & WNOHANG) == 0, pid,
	(pid_t pid, int *status, int options, struct rusage *used),
	(pid, status, options, used))
WAITS_FOR_CHILD(waitpid, (options & WNOHANG) == 0, pid,
	(pid_t pid, int *status, int options), (pid, status, options))
WAITS_FOR_CHILD(waitid, (options & WNOHANG) == 0, child_of(type, id),
	(idtype_t type, id_t id, siginfo_t *to, int options),
	(type, id, to, options))

#define WAITS_FOR_SIGNAL(name, waits, params, args) \
	CALL(SLEEP, int, name, "2.2.5", CALL_SIGNAL, waits, 0, params, args)

WAITS(SLEEP, int, pause, "2.2.5",
	call_begin(&w, CALL_SIGNAL, 0, CALLER, FRAME), (void), ())
WAITS_FOR_SIGNAL(sigsuspend, true, (const sigset_t *mask), (mask))
WAITS_FOR_SIGNAL(sigwait, true, (const sigset_t *set, int *to), (set, to))
WAITS_FOR_SIGNAL(sigwaitinfo, true, (const sigset_t *set, siginfo_t *to),
	(set, to))
WAITS_FOR_SIGNAL(sigtimedwait, t == NULL || ns_of(t) != 0,
	(const sigset_t *set, siginfo_t *to, const struct timespec *t),
	(set, to, t))
/* clang-format on */

/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */
