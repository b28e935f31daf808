/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - the counters of this process.
 */
#ifndef WEFT_RT_HWC_H
#define WEFT_RT_HWC_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/counters_read.h"
#include "weft/hwc.h"

/* Opens them in the calling thread, before it is to count. */
void weft_rt_hwc_open(void);

/* Of a thread. */
struct hwc_thread {
	struct weft_perf_group *only; /* has all of them; NULL: there is more */
	uint64_t last[WEFT_HWC_MAX];
};
extern __thread struct hwc_thread *weft_rt_hwc_self;

/* The next, in all cases. */
uint64_t *weft_rt_hwc_read_all(uint64_t now[WEFT_HWC_MAX]);

/* What the calling thread has counted until now, and returns what it had at
 * the last call, to be stepped on. */
static inline uint64_t *
weft_rt_hwc_read(uint64_t now[WEFT_HWC_MAX])
{
	struct hwc_thread *t = weft_rt_hwc_self;

	if (!t || !t->only)
		return weft_rt_hwc_read_all(now);
	weft_perf_read(t->only, now);
	return t->last;
}

/* Makes of a value what was counted since the last. */
static inline void
weft_rt_hwc_step(uint64_t *value, uint64_t *last)
{
	uint64_t now = *value;

	*value = now < *last ? 0 : now - *last; /* scaled ones may go back */
	*last = now;
}

/* Where the values come from, for people; "" if there are none. */
const char *weft_rt_hwc_source(void);

/* Closes those of the calling thread. */
void weft_rt_hwc_thread_end(void);

/* Were values scaled, in a thread that has ended? */
bool weft_rt_hwc_is_scaled(void);

#endif
