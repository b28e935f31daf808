/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - the counters of this process.
 */
#ifndef WEFT_INPROC_CTF_HWC_H
#define WEFT_INPROC_CTF_HWC_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/counters_read.h"
#include "weft/hwc.h"

/* Opens the counters in the calling thread, before it starts to count. */
void weft_rt_hwc_open(void);

/* State of a thread. Two buffers alternate, so that values need not be
 * copied. */
struct hwc_thread {
	struct weft_perf_group *group; /* group of all counters, read by one
	                                * read(); NULL: there is none */
	struct weft_perf_values *now, *last, read[2];
};
extern __thread struct hwc_thread *weft_rt_hwc_self;

/* Total counts of the thread: now, and at the previous read. */
struct hwc_values {
	const uint64_t *now, *last;
};

/* Reads the counters where weft_rt_hwc_read() cannot do so inline. */
struct hwc_values weft_rt_hwc_read_all(void);

/* Reads the counters of the calling thread; the result is valid until its next
 * read. */
static inline __attribute__((always_inline)) struct hwc_values
weft_rt_hwc_read(void)
{
	struct hwc_thread *t = weft_rt_hwc_self;
	struct weft_perf_values *now, *last;

	if (__builtin_expect(!t || !t->group, 0))
		return weft_rt_hwc_read_all();
	now = t->last;
	last = t->now;
	t->now = now;
	t->last = last;
	weft_perf_read_group(t->group, now, last->value);
	return (struct hwc_values){ now->value, last->value };
}

/* Returns the source of the values, for people; "" without counters. */
const char *weft_rt_hwc_source(void);

/* Closes the counters of the calling thread. */
void weft_rt_hwc_thread_end(void);

/* Counters that shared the hardware with other programs, so that their values
 * are scaled. */
struct hwc_scaled {
	char names[WEFT_HWC_MAX * 66]; /* "cycles, r01c2"; "": none */
	double ran;                    /* % of the time that they counted, in
	                                * all threads */
};
struct hwc_scaled weft_rt_hwc_scaled(void);

/* Prints a line about scaled counters, if there are any. */
void weft_rt_hwc_say_scaled(void);

#endif
