/* SPDX-License-Identifier: MIT */
/*
 * c11.c - locks, conditions and threads of <threads.h>, which do not reach the
 * functions of POSIX by name, and what is initialised once.
 *
 * In the GNU C library a mtx_t is a mutex of POSIX, a cnd_t a condition, and a
 * thrd_t a thread.
 */
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

#include "inproc/collect/wrap.h"

static const struct wait_row mutex = { "WMm", "WMM", KIND_MUTEX,
	HAS_OWNER(offsetof(pthread_mutex_t, __data.__owner)) };
static const struct wait_row condition = { "WCw", "WCW", KIND_COND,
	HAS_MIDDLE };
static const struct wait_row end_of_thread = { "WJj", "WJJ", 0, 0 };
static const struct wait_row once = { "WOo", "WOO", KIND_ONCE, 0 };

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

#define C11(result, name, params) \
	WRAPPER result wrap_##name params; \
	static __typeof__(wrap_##name) *real_##name; \
	REAL_ENTRY(name, "2.28"); \
	TWO_VERSIONS(name, "2.28")

static int (*real_mtx_trylock)(mtx_t *);
REAL_ENTRY(mtx_trylock, "2.28");

/* A lock is tried first: a free one records nothing. */
#define TAKES(name, params, args) \
	C11(int, name, params); \
	int wrap_##name params \
	{ \
		const void *caller = CALLER; \
		struct waiting w; \
		int r; \
\
		if (!collect_looks()) \
			return REAL_OF(name) args; \
		r = REAL_OF(mtx_trylock)(l); \
		if (__builtin_expect(r == thrd_success, 1)) \
			return r; \
		if (r != thrd_busy) \
			return REAL_OF(name) args; \
		wait_begin(&w, &mutex, (const void *)l, caller, FRAME); \
		r = REAL_OF(name) args; \
		wait_end(&w, r == thrd_success ? GOT : FAILED); \
		return r; \
	}

TAKES(mtx_lock, (mtx_t * l), (l))
TAKES(mtx_timedlock, (mtx_t * l, const struct timespec *t), (l, t))

C11(int, mtx_unlock, (mtx_t * l));

int
wrap_mtx_unlock(mtx_t *l)
{
	if (collect_looks())
		wait_hand_over("WHu", (const void *)l, KIND_MUTEX, 0, CALLER);
	return REAL_OF(mtx_unlock)(l);
}

#define WAITS_FOR_CONDITION(name, params, args) \
	C11(int, name, params); \
	int wrap_##name params \
	{ \
		struct waiting w; \
		int r; \
\
		if (!collect_looks()) \
			return REAL_OF(name) args; \
		wait_hand_over("WHu", m, KIND_MUTEX, 0, CALLER); \
		wait_begin_condition(&w, &condition, c, m, CALLER, FRAME); \
		pthread_cleanup_push(wait_cut, &w); \
		r = REAL_OF(name) args; \
		pthread_cleanup_pop(0); \
		wait_end(&w, r == thrd_success ? GOT : FAILED); \
		return r; \
	}

WAITS_FOR_CONDITION(cnd_wait, (cnd_t * c, mtx_t *m), (c, m))
WAITS_FOR_CONDITION(cnd_timedwait,
	(cnd_t * c, mtx_t *m, const struct timespec *t), (c, m, t))

enum { ALL = 0x7fffffff }; /* of a broadcast */

#define SIGNALS(name, n) \
	C11(int, name, (cnd_t * c)); \
	int wrap_##name(cnd_t *c) \
	{ \
		if (collect_looks()) \
			wait_hand_over("WHs", c, KIND_COND, n, CALLER); \
		return REAL_OF(name)(c); \
	}

SIGNALS(cnd_signal, 1)
SIGNALS(cnd_broadcast, ALL)

C11(int, thrd_join, (thrd_t thread, int *to));

int
wrap_thrd_join(thrd_t thread, int *to)
{
	struct waiting w;
	void *value = NULL;
	int r, tid;

	if (!collect_looks())
		return REAL_OF(thrd_join)(thread, to);
	pthread_testcancel();
	r = REAL(pthread_tryjoin_np)(thread, &value);
	if (r == 0 && to != NULL)
		*to = (int)(intptr_t)value;
	if (r == 0)
		return thrd_success;
	if (r != EBUSY)
		return REAL_OF(thrd_join)(thread, to);
	tid = wait_tid(thread);
	wait_begin_data(&w, &end_of_thread, &tid, sizeof tid, CALLER, FRAME);
	pthread_cleanup_push(wait_cut, &w);
	r = REAL_OF(thrd_join)(thread, to);
	pthread_cleanup_pop(0);
	wait_end(&w, r == thrd_success ? GOT : FAILED);
	return r;
}

/* Bits of the word of pthread_once() in the GNU C library. */
enum { ONCE_RUNS = 1, ONCE_DONE = 2 };

/* NOLINTEND(bugprone-macro-parentheses) */

WRAPPER int wrap_pthread_once(pthread_once_t *word, void (*run)(void));
static int (*real_pthread_once)(pthread_once_t *, void (*)(void));
REAL_ENTRY(pthread_once, "2.2.5");
TWO_VERSIONS(pthread_once, "2.2.5");

/* Returns true if another thread runs the function now. */
static bool
is_running(const int *word)
{
	int state = __atomic_load_n(word, __ATOMIC_ACQUIRE);

	return (state & (ONCE_RUNS | ONCE_DONE)) == ONCE_RUNS;
}

/* The function that a waiting thread runs itself if the other thread left it by
 * an exception or was cancelled. */
static __thread struct late {
	void (*run)(void);
	struct waiting *wait; /* which it ends */
} late;

static void
run_late(void)
{
	struct late is = late;

	wait_end(is.wait, GOT);
	*is.wait = (struct waiting){ .row = &once };
	is.run();
}

int
wrap_pthread_once(pthread_once_t *word, void (*run)(void))
{
	struct late outer = late; /* a signal handler may come here */
	struct waiting w;
	int r;

	if (!is_running(word) || !collect_looks())
		return REAL_OF(pthread_once)(word, run);
	wait_begin(&w, &once, (const void *)word, CALLER, FRAME);
	late = (struct late){ run, &w };
	pthread_cleanup_push(wait_cut, &w);
	r = REAL_OF(pthread_once)(word, run_late);
	pthread_cleanup_pop(0);
	late = outer;
	wait_end(&w, r == 0 ? GOT : FAILED);
	return r;
}

C11(void, call_once, (once_flag * word, void (*run)(void)));

void
wrap_call_once(once_flag *word, void (*run)(void))
{
	struct late outer = late;
	struct waiting w;

	if (!is_running((const int *)word) || !collect_looks()) {
		REAL_OF(call_once)(word, run);
		return;
	}
	wait_begin(&w, &once, (const void *)word, CALLER, FRAME);
	late = (struct late){ run, &w };
	pthread_cleanup_push(wait_cut, &w);
	REAL_OF(call_once)(word, run_late);
	pthread_cleanup_pop(0);
	late = outer;
	wait_end(&w, GOT);
}
