/* SPDX-License-Identifier: MIT */
/*
 * ticks.h - the clock of the hot paths: the time-stamp counter where it is
 * fit, else CLOCK_MONOTONIC; the drain translates.
 */
#ifndef WEFT_MEM_RT_TICKS_H
#define WEFT_MEM_RT_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

extern bool ticks_are_tsc; /* decided once, at the start */

static inline uint64_t
ticks_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
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
