/* SPDX-License-Identifier: MIT */
/*
 * ticks.h - the clock of the hot paths: the time-stamp counter where it is
 * fit, else CLOCK_MONOTONIC; the drain translates.
 */
#ifndef WEFT_INPROC_MEM_TICKS_H
#define WEFT_INPROC_MEM_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

extern bool ticks_are_tsc; /* decided once, at the start */

static inline uint64_t
ticks_of_clock(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t
ticks_ns(void)
{
	return ticks_of_clock(CLOCK_MONOTONIC);
}

/* Of CPU time of this thread. */
static inline uint64_t
ticks_cpu_ns(void)
{
	return ticks_of_clock(CLOCK_THREAD_CPUTIME_ID);
}

static inline uint64_t
ticks_now(void)
{
	return ticks_are_tsc ? __builtin_ia32_rdtsc() : ticks_ns();
}

/* Is the counter invariant and the kernel's own clock? */
void ticks_choose(void);

/* Compares both clocks. Between two calls of it, which are the drain's alone,
 * the translations below are lines through the last two comparisons. */
void ticks_compare(void);

uint64_t ticks_to_ns(uint64_t ticks);
uint64_t ticks_of_ns(uint64_t ns);

#endif
