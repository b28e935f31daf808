/* SPDX-License-Identifier: MIT */
/*
 * counters.h - groups of counters of the calling thread, by perf_event_open.
 *
 *	struct weft_perf_event e;
 *	if (weft_perf_find("instructions", &e) &&
 *		weft_perf_open(&group, &e, 1))
 *		weft_perf_read(&group, values);
 *
 * counters_read.h reads the counters. The counters of a group count at the same
 * times. Hardware counters are read in user mode where the kernel allows rdpmc;
 * otherwise one read() returns the whole group. If the group had to share the
 * hardware with other programs, values are scaled to the whole time, and the
 * group records the share. Nothing here allocates.
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

/* Finds an event by perf's name ("cache-misses"), by PAPI's name
 * ("PAPI_L3_TCM") or by the hardware's number ("r01c2"). Returns false if the
 * name is unknown. */
bool weft_perf_find(const char *name, struct weft_perf_event *e);

/* Returns true for a counter of Linux, which needs no hardware. */
bool weft_perf_is_software(const struct weft_perf_event *e);

/* Begins to count. Returns false with errno if the kernel refuses or lacks an
 * event. */
bool weft_perf_open(
	struct weft_perf_group *g, const struct weft_perf_event *events, int n);

/* Scales values as if the group had counted all the time; no value becomes less
 * than its value in `last`. */
void weft_perf_scale(struct weft_perf_group *g, struct weft_perf_values *all,
	const uint64_t *last);

void weft_perf_close(struct weft_perf_group *g);

#endif
