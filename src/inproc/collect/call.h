/* SPDX-License-Identifier: MIT */
/*
 * call.h - makes wrappers of system calls and sleeps from rows.
 *
 * A call that may block without limit (a pipe, a socket, a sleep) is recorded
 * by two events, one before it and one after it, so that the trace of a hung
 * process shows what its threads wait for. Any other call is timed: one that
 * lasts at least collect_io_ns gets the same two events afterwards, a shorter
 * one is only counted.
 *
 *	CALL(IO, ssize_t, read, "2.2.5", CALL_READ, fd_waits(fd), fd_number(fd),
 *		(int fd, void *to, size_t n), (fd, to, n))
 */
#ifndef WEFT_INPROC_COLLECT_CALL_H
#define WEFT_INPROC_COLLECT_CALL_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "inproc/collect/fd.h"
#include "inproc/collect/put.h"
#include "inproc/collect/real.h"
#include "inproc/collect/span.h"
#include "inproc/collect/wait.h"
#include "inproc/collect/wrap.h"

/* Kinds of calls; the numbers of the model's states. */
enum call {
	CALL_CHILD = 12,
	CALL_SLEEP = 13,
	CALL_SIGNAL = 14,
	CALL_READ = 20,
	CALL_WRITE = 21,
	CALL_OPEN = 22,
	CALL_CLOSE = 23,
	CALL_SYNC = 24,
	CALL_FILE_LOCK = 25,
	CALL_OTHER = 26,
	CALL_RECEIVE = 30,
	CALL_SEND = 31,
	CALL_ACCEPT = 32,
	CALL_CONNECT = 33,
	CALL_POLL = 34,
};

/* The beginning of a timed call. */
struct call_time {
	uint64_t ns;  /* CLOCK_MONOTONIC; without a ring: span.h */
	uint64_t res; /* position in the thread's ring; 0: it has none */
};

/* Short calls of a thread since its counts were last recorded. */
struct call_count {
	uint64_t ns;
	uint32_t n;
	uint32_t site; /* number of the code location; 0: not known yet */
};

/* Those of one kind from one place in the code. */
struct call_site {
	uint64_t key; /* return address << KIND_BITS | kind; 0: free */
	struct call_count count;
};

/* A thread has its calls in few places at a time: others are only counted by
 * kind. */
enum { CALL_KIND_BITS = 8, CALL_SITE_BITS = 5, CALL_SITES = 32 };

struct call_counts {
	uint64_t began; /* the first call of the thread, or its start, ns; 0:
	                 * none */
	uint64_t told;  /* when the counts were recorded, ns; 0: never */
	struct call_site site[CALL_SITES];
	struct call_count of[CALLS_MAX]; /* without a place */
};

extern __thread struct call_counts call_counts
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Notes that the thread begins now, if it did not before. */
void call_begin_thread(void) __attribute__((visibility("hidden")));

/* Returns the time now. Reads the position first: a handler that records
 * between both readings is noticed then. */
static inline __attribute__((always_inline)) struct call_time
call_time(void)
{
	struct weft_ring *ring = put_ring();
	uint64_t res;

	if (__builtin_expect(ring == NULL, 0))
		return (struct call_time){ span_now(), 0 };
	res = __atomic_load_n(&ring->res, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return (struct call_time){ weft_ring_now(ring), res };
}

enum { SECOND = 1000000000 };

/* Called at load. Returns false if there is no memory. */
bool call_load(void) __attribute__((visibility("hidden")));

struct host;

/* Takes the recorder's functions. */
void call_take_host(const struct host *host)
	__attribute__((visibility("hidden")));

/* Lets the recorder start its writer thread, where the calling thread has no
 * lock of an allocator. Keeps errno. */
void call_offer(void) __attribute__((visibility("hidden")));

/* Pauses the recorder's thread, in a thread that is not busy, for a call that
 * wants a process with a single one. Returns false if there is none.
 * call_resume() follows. Both keep errno. */
bool call_pause(void) __attribute__((visibility("hidden"), cold));
void call_resume(void) __attribute__((visibility("hidden"), cold));

/* Ends it for good. Keeps errno. */
void call_stay_alone(void) __attribute__((visibility("hidden"), cold));

/* Pauses it if the system call needs that (single.h). single_end() follows the
 * call, whose result is r: the thread goes on, or is ended for good. */
bool single_begin(long number, int flags)
	__attribute__((visibility("hidden"), cold));
void single_end(long number, int flags, bool is_paused, long r)
	__attribute__((visibility("hidden"), cold));

/* Called before prctl() and seccomp() in a thread that is not busy, with the
 * arguments of the system call: ends the recording of threads that may not make
 * the recorder's calls any more (confine.h). */
void call_confine(long number, const unsigned long a[4])
	__attribute__((visibility("hidden"), cold));

/* Called before the process ends without its exit handlers, in a thread that is
 * not busy. */
void call_exit_process(void) __attribute__((visibility("hidden"), cold));

/* Called before the system call that ends a thread, in one that is not busy: a
 * process whose last thread that is ends, with its exit code. */
void call_exit_thread(void) __attribute__((visibility("hidden"), cold));

/* Ends the recording before an exec of the program `path`, in a thread that is
 * not busy. Returns false if there is nothing to end. call_keep() goes on
 * recording when the exec failed. Both keep errno. */
bool call_replace(const char *path);
void call_keep(void);

/* Records the thread's counts, or begins to count. */
void call_tell(uint64_t now) __attribute__((visibility("hidden")));

/* Returns the place where the key should be in the table. */
static inline uint32_t
call_slot(uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - CALL_SITE_BITS));
}

/* Finds or adds the count of a key that is not in its place. Keeps errno. */
struct call_count *call_count_slow(uint64_t key)
	__attribute__((visibility("hidden"), cold));

/* Returns the count of calls of one kind with this return address. */
static inline struct call_count *
call_count_of(enum call kind, const void *caller)
{
	uint64_t key = (uint64_t)(uintptr_t)caller << CALL_KIND_BITS | kind;
	struct call_site *s = &call_counts.site[call_slot(key)];

	return __builtin_expect(s->key == key, 1) ? &s->count
						  : call_count_slow(key);
}

/* Counts the call and returns false if it was short. */
static inline __attribute__((always_inline)) bool
call_was_long(struct call_time begin, enum call kind, const void *caller)
{
	uint64_t now = call_time().ns, ns = now - begin.ns;
	struct call_count *c;

	if (__builtin_expect(ns >= collect_io_ns, 0))
		return true;
	c = call_count_of(kind, caller);
	c->n++;
	c->ns += ns;
	if (__builtin_expect(now - call_counts.told >= SECOND, 0))
		call_tell(now);
	return false;
}

/* Returns true if a long call is to be recorded: the thread is busy until
 * call_was(), which must follow, and definitions between the two get the time
 * of the call. Otherwise counts the call, unless it is one of the recorder. */
bool call_is_told(struct call_time begin, enum call kind, const void *caller)
	__attribute__((visibility("hidden")));

/* Records a long call after call_is_told(). number: of the file, or 0; result:
 * negative is the negated errno. */
void call_was(enum call kind, uint32_t number, int64_t result,
	const void *caller) __attribute__((visibility("hidden")));

/* Record the begin and the end of a call that may block. caller, frame: as for
 * wait_begin(). */
void call_begin(struct waiting *w, enum call kind, uint32_t number,
	const void *caller, const void *frame)
	__attribute__((visibility("hidden")));
void call_end(struct waiting *w, int64_t result)
	__attribute__((visibility("hidden")));

/* Does the same for a sleep of a time in ns. */
void call_begin_sleep(struct waiting *w, uint64_t ns, const void *caller,
	const void *frame) __attribute__((visibility("hidden")));

/* Ends a call that was cancelled; for pthread_cleanup_push(). */
void call_cut(void *waiting) __attribute__((visibility("hidden")));

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* The results of integer functions, and of those that return pointers. */
static inline int64_t
int_result(int64_t r)
{
	return r < 0 ? -(int64_t)errno : r;
}

#define INT_RESULT(r) int_result((int64_t)(r))
#define PTR_RESULT(r) ((r) == NULL ? -(int64_t)errno : 0)

/* The real function behind a wrapper. */
#define CALL_REAL(result, name, version, params) \
	WRAPPER result wrap_##name params; \
	static __typeof__(wrap_##name) *real_##name; \
	REAL_ENTRY(name, version); \
	ONE_VERSION(name, version)

/* Calls the real function between the two events of a wait. begin: records the
 * first one. */
#define CALL_BETWEEN(name, args, begin) \
	do { \
		begin; \
		pthread_cleanup_push(call_cut, &w); \
		r = REAL_OF(name) args; \
		pthread_cleanup_pop(0); \
		call_end(&w, INT_RESULT(r)); \
	} while (0)

/* A function that always may block without limit. does: IO or SLEEP. */
#define WAITS(does, result, name, version, begin, params, args) \
	CALL_REAL(result, name, version, params); \
	result wrap_##name params \
	{ \
		struct waiting w; \
		result r; \
\
		if (!collect_does(does)) \
			return REAL_OF(name) args; \
		CALL_BETWEEN(name, args, begin); \
		return r; \
	}

/* The parameters and arguments of the part of a wrapper that waits. */
#define SLOW_PARAMS(...) (const void *caller, const void *frame, __VA_ARGS__)
#define SLOW_ARGS(...) (CALLER, FRAME, __VA_ARGS__)

/* A function with at least one parameter. kind: enum call. waits: an
 * expression, true if the call may block without limit. number: an expression
 * for the number of the file, used after the call is over. The part that waits
 * is a function of its own: because of its setjmp() the compiler would keep all
 * arguments on the stack, in every call. */
#define CALL(does, result, name, version, kind, waits, number, params, args) \
	CALL_REAL(result, name, version, params); \
	static SLOW result slow_##name SLOW_PARAMS params \
	{ \
		struct waiting w; \
		result r; \
\
		CALL_BETWEEN(name, args, \
			call_begin(&w, kind, number, caller, frame)); \
		return r; \
	} \
	result wrap_##name params \
	{ \
		struct call_time start; \
		result r; \
\
		if (!collect_does(does)) \
			return REAL_OF(name) args; \
		if (__builtin_expect(waits, 0)) \
			return slow_##name SLOW_ARGS args; \
		start = call_time(); \
		r = REAL_OF(name) args; \
		if (call_was_long(start, kind, CALLER) && \
			call_is_told(start, kind, CALLER)) \
			call_was(kind, number, INT_RESULT(r), CALLER); \
		return r; \
	}

/* A function that never blocks for long by itself. */
#define TIMED(result, name, version, kind, number, params, args) \
	TIMED_FORM( \
		result, name, version, kind, number, INT_RESULT, params, args)
#define TIMED_PTR(result, name, version, kind, number, params, args) \
	TIMED_FORM( \
		result, name, version, kind, number, PTR_RESULT, params, args)
#define TIMED_FORM( \
	result, name, version, kind, number, to_result, params, args) \
	CALL_REAL(result, name, version, params); \
	result wrap_##name params \
	{ \
		struct call_time start; \
		result r; \
\
		if (!collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		r = REAL_OF(name) args; \
		if (call_was_long(start, kind, CALLER) && \
			call_is_told(start, kind, CALLER)) \
			call_was(kind, number, to_result(r), CALLER); \
		return r; \
	}

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
