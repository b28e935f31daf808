/* SPDX-License-Identifier: MIT */
/*
 * watch_perf.h - observes every context switch of a program's threads.
 */
#ifndef WEFT_CLI_RUN_WATCH_PERF_H
#define WEFT_CLI_RUN_WATCH_PERF_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "perf/switches.h"

struct watch;

struct watch_perf {
	struct perf_switches switches;
	struct arena arena[2]; /* one for the current list and one for the
	                        * next */
	int current;
	VEC(struct perf_switch) list; /* read and not yet passed on */
	int64_t last[PERF_CPUS_MAX];  /* by CPU: time of its last record */
	int wait_ms; /* how long the perf rings have room, at the latest rate */
};

/* Opens the events; they begin with the process's exec. Returns false and sets
 * errno on failure. */
bool watch_perf_open(struct watch_perf *p, int pid);

/* Adds who woke whom, if the kernel permits it. Call it before exec. */
void watch_perf_add_wakes(struct watch_perf *p, int pid);

/* Passes new switches to the watch; is_last: including the latest ones. Call it
 * again after wait_ms. */
void watch_perf_read(struct watch_perf *p, struct watch *w, bool is_last);

void watch_perf_close(struct watch_perf *p);

#endif
