/* SPDX-License-Identifier: MIT */
/*
 * watch_proc.h - observes where a program's threads run by sampling /proc.
 *
 * This is for machines on which the kernel does not report context switches.
 * Between two samples a thread may have run anywhere.
 */
#ifndef WEFT_CLI_RUN_WATCH_PROC_H
#define WEFT_CLI_RUN_WATCH_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#define WATCH_PROC_HZ 100

struct watch;

/* A thread as the last sample found it. */
struct watch_task {
	int32_t pid, tid, cpu;
	bool is_runnable, is_here;
	uint64_t ran, before; /* CPU time at this sample and at the previous
	                       * one, ns */
};

struct watch_proc {
	struct arena arena;
	int pid;
	struct map index; /* (PID, TID) -> index in `tasks` + 1 */
	VEC(struct watch_task) tasks;
	int64_t *busiest; /* by CPU: the task that ran most, or -1 */
};

void watch_proc_open(struct watch_proc *p, const struct watch *w, int pid);

/* Samples the process and its descendants, and passes changes to the watch. */
void watch_proc_look(struct watch_proc *p, struct watch *w);

void watch_proc_close(struct watch_proc *p);

#endif
