/* SPDX-License-Identifier: MIT */
/*
 * ompt.h - the part of the tools interface of OpenMP 5.1 (OMPT) that ompt.c
 * uses: its types and numbers, which are the same for all runtimes.
 */
#ifndef WEFT_INPROC_COLLECT_OMPT_H
#define WEFT_INPROC_COLLECT_OMPT_H

#include <stdint.h>

/* The runtime keeps one for each region and task, 0 at the start. */
typedef union ompt_data {
	uint64_t value;
	void *ptr;
} ompt_data_t;

/* Numbers of callbacks. */
enum {
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_SYNC_REGION_WAIT = 16,
	OMPT_MUTEX_RELEASED = 17,
	OMPT_WORK = 20,
	OMPT_MASKED = 21,
	OMPT_MUTEX_ACQUIRE = 26,
	OMPT_MUTEX_ACQUIRED = 27,
};

/* Which end of a pair a call is. */
enum { OMPT_BEGIN = 1, OMPT_END = 2 };

/* Bits of the flags of implicit_task and task_create. */
enum {
	OMPT_TASK_INITIAL = 1,
	OMPT_TASK_EXPLICIT = 4,
	OMPT_TASK_UNDEFERRED = 1 << 27, /* begins when it is created */
};

/* Why a thread leaves a task: it waits for an event before it is complete. The
 * call names no next task. */
enum { OMPT_CANCEL = 3, OMPT_EARLY_FULFILL = 5, OMPT_LATE_FULFILL = 6 };

/* Kinds of mutexes. Smaller numbers are locks. */
enum { OMPT_CRITICAL = 5, OMPT_ATOMIC = 6, OMPT_ORDERED = 7 };

/* Kinds of waits. Older runtimes have one kind for all implicit barriers. */
enum {
	OMPT_SYNC_BARRIER = 1,
	OMPT_SYNC_IMPLICIT = 2,
	OMPT_SYNC_EXPLICIT = 3,
	OMPT_SYNC_IMPLEMENTATION = 4,
	OMPT_SYNC_TASKWAIT = 5,
	OMPT_SYNC_TASKGROUP = 6,
	OMPT_SYNC_REDUCTION = 7,
	OMPT_SYNC_WORKSHARE = 8,
	OMPT_SYNC_PARALLEL = 9,
	OMPT_SYNC_TEAMS = 10,
	OMPT_SYNCS = 11,
};

/* Kinds of work-sharing. Newer runtimes have more. */
enum {
	OMPT_WORK_LOOP = 1,
	OMPT_WORK_SECTIONS = 2,
	OMPT_WORK_SINGLE = 3,
	OMPT_WORK_SINGLE_OTHER = 4,
	OMPT_WORK_DISTRIBUTE = 6,
	OMPT_WORK_TASKLOOP = 7,
	OMPT_WORKS = 8,
};

/* The result of setting a callback: not supported below this number. */
enum { OMPT_SET_SOMETIMES = 2 };

typedef void ompt_callback_t(void);
typedef int ompt_set_callback_t(int which, ompt_callback_t *callback);
typedef ompt_callback_t *ompt_lookup_t(const char *name);

typedef struct ompt_start {
	int (*initialize)(ompt_lookup_t *lookup, int device, ompt_data_t *data);
	void (*finalize)(ompt_data_t *data);
	ompt_data_t data;
} ompt_start_t;

#endif
