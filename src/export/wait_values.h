/* SPDX-License-Identifier: MIT */
/*
 * wait_values.h - the values of states that other code than their models knows,
 * which stand in the models' tables: those of wait.wait, wait.reason and
 * openmp.subsystem.
 *
 * Readers of records compare these numbers, never the texts of labels.
 */
#ifndef WEFT_EXPORT_WAIT_VALUES_H
#define WEFT_EXPORT_WAIT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* wait.wait */
enum {
	WAIT_JOIN = 9,
	WAIT_CHILD = 12,
	WAIT_ORDERED = 40,
	WAIT_DOACROSS = 41,
	WAIT_IDLE = 42, /* no parallel region needs the thread */
	WAIT_REDUCTION = 43,
};

/* wait.reason */
enum reason {
	REASON_ENDED = 0, /* no value: the thread has ended */
	REASON_RUNS = 1,
	REASON_PREEMPTED = 2,
	REASON_WOKEN = 3, /* ready after it was blocked */
	REASON_BLOCKED = 4,
	REASON_DISK = 5,
	REASON_STOPPED = 6, /* by a signal or a debugger */
};

/* openmp.subsystem */
enum {
	OPENMP_JOIN = 2,
	OPENMP_ATTACHED = 26,
	OPENMP_FORK_CALL = 27,
	OPENMP_INITIALIZATION = 28,
	OPENMP_INTERNAL_TASK = 29,
	OPENMP_USER_TASK = 30,
	OPENMP_MAIN_LOOP = 31,
};

/* Returns true for a wait inside a construct of OpenMP. */
static inline bool
wait_is_openmp(int64_t wait)
{
	return wait == WAIT_ORDERED || wait == WAIT_DOACROSS ||
		wait == WAIT_REDUCTION;
}

/* Returns true for a state of OpenMP that belongs to a whole region, not to one
 * of the places in it. */
static inline bool
openmp_is_of_region(int64_t state)
{
	return state == OPENMP_JOIN ||
		(state >= OPENMP_ATTACHED && state <= OPENMP_MAIN_LOOP);
}

#endif
