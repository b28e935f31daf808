/* SPDX-License-Identifier: MIT */
/*
 * watch_perf.h - every switch of a program's threads, in order of time.
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
	struct arena arena[2]; /* of the list, and of the next one */
	int current;
	VEC(struct perf_switch) list; /* read and not yet told */
	int64_t last[PERF_CPUS_MAX];  /* of a CPU: time of its last record */
	int wait_ms; /* the rings should have room for so long */
};

/* Begins with the process's exec. False with errno. */
bool watch_perf_open(struct watch_perf *p, int pid);

/* Tells the watch what is new; is_last: all of it. To be called again after
 * wait_ms. */
void watch_perf_read(struct watch_perf *p, struct watch *w, bool is_last);

void watch_perf_close(struct watch_perf *p);

#endif
