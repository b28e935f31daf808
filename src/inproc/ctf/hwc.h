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

/* Opens them in the calling thread, before it is to count. */
void weft_rt_hwc_open(void);

/* Of a thread. Two buffers in turn, so that values need no copy. */
struct hwc_thread {
	struct weft_perf_group *group; /* has all, by read(); NULL: not so */
	struct weft_perf_values *now, *last, read[2];
};
extern __thread struct hwc_thread *weft_rt_hwc_self;

/* What the thread has counted in all, until now and until the read before. */
struct hwc_values {
	const uint64_t *now, *last;
};

/* The next, in all cases. */
struct hwc_values weft_rt_hwc_read_all(void);

/* Reads the counters of the calling thread; valid until it does so again. */
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

/* Where the values come from, for people; "" if there are none. */
const char *weft_rt_hwc_source(void);

/* Closes those of the calling thread. */
void weft_rt_hwc_thread_end(void);

/* Counters that had to share the hardware with others, so that their values are
 * scaled. */
struct hwc_scaled {
	char names[WEFT_HWC_MAX * 66]; /* "cycles, r01c2"; "": none is */
	double ran;                    /* % of the time, in all threads */
};
struct hwc_scaled weft_rt_hwc_scaled(void);

/* One line about them, if there are any. */
void weft_rt_hwc_say_scaled(void);

#endif
