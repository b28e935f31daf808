/* SPDX-License-Identifier: MIT */
/*
 * watch_proc.h - where a program's threads run, by looking at /proc.
 *
 * For machines that do not let us see switches. Between two looks a thread may
 * have run anywhere: what is written is a sample.
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

/* A thread, as the last look found it. */
struct watch_task {
	int32_t pid, tid, cpu;
	bool is_runnable, is_here;
	uint64_t ran, before; /* ns in all; at the look before */
};

struct watch_proc {
	struct arena arena;
	int pid;
	struct map index; /* pid and tid -> task + 1 */
	VEC(struct watch_task) tasks;
	int64_t *busiest; /* task of each CPU that ran most, or -1 */
};

void watch_proc_open(struct watch_proc *p, const struct watch *w, int pid);

/* Looks at the process and all below it, and tells the watch. */
void watch_proc_look(struct watch_proc *p, struct watch *w);

void watch_proc_close(struct watch_proc *p);

#endif
