/* SPDX-License-Identifier: MIT */
/*
 * ticks.h - the clock of the hot paths: the time-stamp counter where it is
 * suitable, else CLOCK_MONOTONIC; the drain converts ticks to ns.
 */
#ifndef WEFT_INPROC_MEM_TICKS_H
#define WEFT_INPROC_MEM_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "perf/kernel_clock.h"

extern bool ticks_are_tsc; /* decided once, at the start */

static inline uint64_t
ticks_of_clock(clockid_t clock)
{
	struct timespec t = { 0, 0 };

	weft_kernel_clock(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t
ticks_ns(void)
{
	return ticks_of_clock(CLOCK_MONOTONIC);
}

/* Returns the CPU time of this thread. */
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

/* Uses the counter if it is invariant and the kernel's own clock. */
void ticks_choose(void);

/* Compares both clocks; called by the drain only. Until the next call the
 * conversions below use a line through the first and this comparison. */
void ticks_compare(void);

uint64_t ticks_to_ns(uint64_t ticks);
uint64_t ticks_of_ns(uint64_t ns);

#endif
