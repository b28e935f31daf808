/* SPDX-License-Identifier: MIT */
/*
 * counters.h - groups of counters of the calling thread, by perf_event_open.
 *
 *	struct weft_perf_event e;
 *	if (weft_perf_find("instructions", &e) &&
 *		weft_perf_open(&group, &e, 1))
 *		weft_perf_read(&group, values);
 *
 * The reading is in counters_read.h. Counters of a group count at the same
 * times. Those of the hardware are read in user mode where the kernel allows
 * rdpmc, else all of a group with one read(). If the group had to share the
 * hardware with others, values are scaled to the whole time, and the group says
 * so. Nothing here allocates.
 */
#ifndef WEFT_PERF_COUNTERS_H
#define WEFT_PERF_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/group.h"

struct weft_perf_event {
	uint32_t type; /* PERF_TYPE_... */
	uint64_t config;
};

/* By the names of perf ("cache-misses") and of PAPI ("PAPI_L3_TCM"), or as the
 * hardware's own number ("r01c2"). False: it has no such name. */
bool weft_perf_find(const char *name, struct weft_perf_event *e);

/* Is it one of Linux, that needs no hardware? */
bool weft_perf_is_software(const struct weft_perf_event *e);

/* Begins to count. False with errno: the kernel refuses, or has none. */
bool weft_perf_open(
	struct weft_perf_group *g, const struct weft_perf_event *events, int n);

/* Makes of values what they were if the group had counted all the time; none is
 * less than the last time. */
void weft_perf_scale(struct weft_perf_group *g, struct weft_perf_values *all,
	const uint64_t *last);

void weft_perf_close(struct weft_perf_group *g);

#endif
