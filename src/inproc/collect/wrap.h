/* SPDX-License-Identifier: MIT */
/*
 * wrap.h - makes wrappers from rows.
 *
 * A program asks for a symbol with the version that its C library had when it
 * was linked; the loader compares only the names of versions. So a wrapper has
 * all versions that its function ever had with the same meaning: its first one,
 * and 2.34 if the function came to libc from libpthread then.
 */
#ifndef WEFT_INPROC_COLLECT_WRAP_H
#define WEFT_INPROC_COLLECT_WRAP_H

#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "inproc/collect/real.h"
#include "inproc/collect/wait.h"

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* The versions of the symbol of a wrapper wrap_NAME. */
#define ONE_VERSION(name, version) \
	__asm__(".symver wrap_" #name "," #name "@@GLIBC_" version)
#define TWO_VERSIONS(name, version) \
	WRAPPER extern __typeof__(wrap_##name) early_##name \
		__attribute__((alias("wrap_" #name))); \
	__asm__(".symver early_" #name "," #name "@GLIBC_" version); \
	__asm__(".symver wrap_" #name "," #name "@@GLIBC_2.34")

static inline bool
is_valid_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Returns false for a time or a clock that functions refuse before they look
 * at the object. */
static inline bool
is_valid_time(clockid_t clock, const struct timespec *t)
{
	return is_valid_clock(clock) && t != NULL && t->tv_nsec >= 0 &&
		t->tv_nsec < 1000000000;
}

/*
 * A function that takes a lock. The lock is tried first: a free one records
 * nothing. Errors are left to the real function.
 *
 * params, args: with parentheses; the lock is called `l`. can: an expression,
 * false if the real function must decide. row: the kind of wait.
 */
#define TAKES_LOCK(name, params, args, slow_params, slow_args, try, can, row) \
	static SLOW int slow_##name slow_params \
	{ \
		struct waiting w; \
		int r; \
\
		wait_begin(&w, row, (const void *)l, caller, frame); \
		r = REAL(name) args; \
		wait_end(&w, r == 0 || r == EOWNERDEAD ? GOT : FAILED); \
		return r; \
	} \
	WRAPPER int wrap_##name params; \
	int wrap_##name params \
	{ \
		const void *caller = CALLER; \
		int r; \
\
		if (!collect_looks() || !(can)) \
			return REAL(name) args; \
		r = try(l); \
		if (__builtin_expect(r == 0, 1) || r == EOWNERDEAD) \
			return r; \
		return r == EBUSY ? slow_##name slow_args : REAL(name) args; \
	}

/* A function that gives a lock to the next thread. */
#define GIVES_LOCK(name, type, kind) \
	WRAPPER int wrap_##name(type *l); \
	int wrap_##name(type *l) \
	{ \
		if (collect_looks()) \
			wait_hand_over( \
				"WHu", (const void *)l, kind, 0, CALLER); \
		return REAL(name)(l); \
	}

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
