/* SPDX-License-Identifier: MIT */
/*
 * clock.h - CLOCK_MONOTONIC in ns at the price of rdtsc.
 *
 * Time is a chain of straight lines over the time-stamp counter, the same for
 * all threads. Each line ends where the next begins, so that time makes no
 * step; the slope of the next one is what brings us back to CLOCK_MONOTONIC
 * by its end. A line is announced before it begins and every thread looks for
 * a new one more often than that, so all threads change over at one tick. Where
 * the counter and CLOCK_MONOTONIC have come apart (a suspended machine, a
 * counter that stopped or was set back), a line begins at once; time never goes
 * back.
 *
 * Used if the counter is invariant and the kernel's own clocksource; else (or
 * with WEFT_CLOCK=gettime) every time is a clock_gettime.
 */
#ifndef WEFT_INPROC_CORE_CLOCK_H
#define WEFT_INPROC_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct weft_ring;

/* Takes the first reading, at load; of the counter if that may be used. */
void weft_rt_clock_load(bool may_count);

/* Makes the first line, if there is none. Not in two threads at once. */
void weft_rt_clock_start(void);

/* In a child of fork, which begins its own lines: who announced one for the
 * parent is not here. */
void weft_rt_clock_forget(void);

/* Now. Reads the line into the ring when the ring's is too old; a ring that
 * never had one is left alone. Announces the next line when it is time. Any
 * thread, and handlers. */
uint64_t weft_rt_clock_read(struct weft_ring *ring, uint64_t tsc);

/* Gives a new ring its first line. */
void weft_rt_clock_attach(struct weft_ring *ring);

/* Now, for who has no ring. */
uint64_t weft_rt_clock_now(void);

/* Announces the next line when it is time. */
void weft_rt_clock_tick(void);

const char *weft_rt_clock_name(void);

#endif
