/* SPDX-License-Identifier: MIT */
/*
 * cond.c - conditions, barriers, semaphores and joins.
 *
 * All waits in this file except that for a barrier are cancellation points. A
 * function that does not have to wait must act on a pending cancellation, too;
 * so its wrapper calls pthread_testcancel() before it tries the object.
 */
#include "inproc/collect/call.h"
#include "inproc/collect/wrap.h"

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

static const struct wait_row condition = { "WCw", "WCW", KIND_COND,
	HAS_MIDDLE };
static const struct wait_row barrier = { "WBw", "WBW", KIND_BARRIER,
	HAS_MIDDLE };
static const struct wait_row semaphore = { "WSw", "WSW", KIND_SEM, 0 };
static const struct wait_row end_of_thread = { "WJj", "WJJ", 0, 0 };

/* A wait for a condition releases the mutex. */
#define WAITS_FOR_CONDITION(name, params, args) \
	WRAPPER int wrap_##name params; \
	int wrap_##name params \
	{ \
		struct waiting w; \
		int r; \
\
		if (!collect_looks()) \
			return REAL(name) args; \
		wait_hand_over("WHu", m, KIND_MUTEX, 0, CALLER); \
		wait_begin_condition(&w, &condition, c, m, CALLER, FRAME); \
		pthread_cleanup_push(wait_cut, &w); \
		r = REAL(name) args; \
		pthread_cleanup_pop(0); \
		wait_end(&w, r == 0 || r == EOWNERDEAD ? GOT : FAILED); \
		return r; \
	}

#define SIGNALS(name, n) \
	WRAPPER int wrap_##name(pthread_cond_t *c); \
	int wrap_##name(pthread_cond_t *c) \
	{ \
		if (collect_looks()) \
			wait_hand_over("WHs", c, KIND_COND, n, CALLER); \
		return REAL(name)(c); \
	}

enum { ALL = 0x7fffffff }; /* threads that a broadcast wakes */

/* clang-format off */
WAITS_FOR_CONDITION(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m),
	(c, m))
WAITS_FOR_CONDITION(pthread_cond_timedwait,
	(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t),
	(c, m, t))
WAITS_FOR_CONDITION(pthread_cond_clockwait,
	(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
		const struct timespec *t), (c, m, clock, t))
SIGNALS(pthread_cond_signal, 1)
SIGNALS(pthread_cond_broadcast, ALL)
/* clang-format on */

WRAPPER int wrap_pthread_barrier_init(
	pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n);

int
wrap_pthread_barrier_init(
	pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n)
{
	int r = REAL(pthread_barrier_init)(b, a, n);
	struct object *o;

	if (r != 0 || !collect_looks())
		return r;
	object_begins((const void *)b, KIND_BARRIER, CALLER);
	o = object_at((const void *)b, KIND_BARRIER);
	if (o != NULL)
		__atomic_store_n(&o->count, n, __ATOMIC_RELAXED);
	return r;
}

WRAPPER int wrap_pthread_barrier_wait(pthread_barrier_t *b);

int
wrap_pthread_barrier_wait(pthread_barrier_t *b)
{
	struct waiting w;
	int r;

	if (!collect_looks())
		return REAL(pthread_barrier_wait)(b);
	wait_begin(&w, &barrier, (const void *)b, CALLER, FRAME);
	r = REAL(pthread_barrier_wait)(b);
	wait_end(&w, r == PTHREAD_BARRIER_SERIAL_THREAD);
	return r;
}

/* Returns true if the semaphore was taken; keeps errno. */
static bool
takes(sem_t *s)
{
	int error = errno;
	bool has = REAL(sem_trywait)(s) == 0;

	errno = error;
	return has;
}

#define WAITS_FOR_SEMAPHORE(name, params, args, can) \
	WRAPPER int wrap_##name params; \
	int wrap_##name params \
	{ \
		struct waiting w; \
		int r; \
\
		if (!collect_looks() || !(can)) \
			return REAL(name) args; \
		pthread_testcancel(); \
		if (takes(s)) \
			return 0; \
		wait_begin(&w, &semaphore, s, CALLER, FRAME); \
		pthread_cleanup_push(wait_cut, &w); \
		r = REAL(name) args; \
		pthread_cleanup_pop(0); \
		wait_end(&w, r == 0 ? GOT : FAILED); \
		return r; \
	}

/* clang-format off */
WAITS_FOR_SEMAPHORE(sem_wait, (sem_t *s), (s), true)
WAITS_FOR_SEMAPHORE(sem_timedwait, (sem_t *s, const struct timespec *t), (s, t),
	is_valid_time(CLOCK_REALTIME, t))
WAITS_FOR_SEMAPHORE(sem_clockwait,
	(sem_t *s, clockid_t clock, const struct timespec *t), (s, clock, t),
	is_valid_time(clock, t))
/* clang-format on */

WRAPPER int wrap_sem_post(sem_t *s);

int
wrap_sem_post(sem_t *s)
{
	if (collect_looks())
		wait_hand_over("WHp", s, KIND_SEM, NO_SECOND, CALLER);
	return REAL(sem_post)(s);
}

/* A thread that has ended is joined at once. */
#define JOINS(name, params, args) \
	WRAPPER int wrap_##name params; \
	int wrap_##name params \
	{ \
		struct waiting w; \
		int r, tid; \
\
		if (!collect_looks()) \
			return REAL(name) args; \
		pthread_testcancel(); \
		r = REAL(pthread_tryjoin_np)(thread, to); \
		if (r == 0) \
			return 0; \
		if (r != EBUSY) \
			return REAL(name) args; \
		tid = wait_tid(thread); \
		wait_begin_data( \
			&w, &end_of_thread, &tid, sizeof tid, CALLER, FRAME); \
		call_offer(); \
		pthread_cleanup_push(wait_cut, &w); \
		r = REAL(name) args; \
		pthread_cleanup_pop(0); \
		wait_end(&w, r == 0 ? GOT : FAILED); \
		return r; \
	}

/* clang-format off */
JOINS(pthread_join, (pthread_t thread, void **to), (thread, to))
JOINS(pthread_timedjoin_np,
	(pthread_t thread, void **to, const struct timespec *t),
	(thread, to, t))
JOINS(pthread_clockjoin_np,
	(pthread_t thread, void **to, clockid_t clock,
		const struct timespec *t), (thread, to, clock, t))
/* clang-format on */

ONE_VERSION(pthread_cond_wait, "2.3.2");
ONE_VERSION(pthread_cond_timedwait, "2.3.2");
ONE_VERSION(pthread_cond_signal, "2.3.2");
ONE_VERSION(pthread_cond_broadcast, "2.3.2");
TWO_VERSIONS(pthread_cond_clockwait, "2.30");
TWO_VERSIONS(pthread_barrier_init, "2.2.5");
TWO_VERSIONS(pthread_barrier_wait, "2.2.5");
TWO_VERSIONS(sem_wait, "2.2.5");
TWO_VERSIONS(sem_timedwait, "2.2.5");
TWO_VERSIONS(sem_clockwait, "2.30");
TWO_VERSIONS(sem_post, "2.2.5");
TWO_VERSIONS(pthread_join, "2.2.5");
TWO_VERSIONS(pthread_timedjoin_np, "2.3.3");
TWO_VERSIONS(pthread_clockjoin_np, "2.31");

/* NOLINTEND(bugprone-macro-parentheses) */
