/* SPDX-License-Identifier: MIT */
/*
 * clock.h - CLOCK_MONOTONIC in ns at the cost of rdtsc.
 *
 * Time is a chain of straight lines over the time-stamp counter, the same for
 * all threads. Each line ends where the next begins, so that time makes no
 * step; the slope of the next line is chosen so that its end meets
 * CLOCK_MONOTONIC. A line is announced some time before it begins, and every
 * thread looks for a new line at shorter intervals, so all threads change over
 * at the same tick. When the counter and CLOCK_MONOTONIC have diverged (a
 * suspended machine, a counter that stopped or was set back), a new line begins
 * at once; time never goes back.
 *
 * The counter is used if it may serve as the clock (perf/tsc.h);
 * otherwise (or with WEFT_CLOCK=gettime) every time is a clock_gettime.
 */
#ifndef WEFT_INPROC_CORE_CLOCK_H
#define WEFT_INPROC_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct weft_ring;
struct weft_line;

/* The line of a ring that has none: the inline code of trace.h reads it, and
 * asks the library for the time. */
extern const struct weft_line weft_rt_clock_none;

/* Takes the first reading, at load; may_count: the counter may be used. */
void weft_rt_clock_load(bool may_count);

/* Makes the first line, if there is none. At most one thread at a time. */
void weft_rt_clock_start(void);

/* Resets the lines in a child of fork: the thread that announced a line for the
 * parent does not exist here. */
void weft_rt_clock_forget(void);

/* Returns the time. Updates the ring's line when it is too old; ignores a ring
 * that never had a line. Announces the next line when it is due. Any thread,
 * and handlers. */
uint64_t weft_rt_clock_read(struct weft_ring *ring, uint64_t tsc);

/* Gives a new ring its first line; where the counter is not used, the one of
 * rings that have none. */
void weft_rt_clock_attach(struct weft_ring *ring);

/* Returns the time, without a ring. */
uint64_t weft_rt_clock_now(void);

/* Announces the next line when it is due. */
void weft_rt_clock_tick(void);

/* Fills in a line over the time-stamp counter from load to now. Returns false
 * if the counter is not the clock, or the process is younger than 10 ms. */
bool weft_rt_clock_line(struct weft_line *to);

const char *weft_rt_clock_name(void);

#endif
