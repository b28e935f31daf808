/* SPDX-License-Identifier: MIT */
/*
 * task_table.h - the live tasks of a process, by model and id.
 *
 * A program may have millions of tasks at once, so a task costs only itself and
 * the head of a chain: 48 bytes at most (a body of a parallel task, 56). The
 * array of heads is doubled in place, so that there is never a second table
 * beside the first. {0} is an empty table.
 */
#ifndef WEFT_EMU_TASK_TABLE_H
#define WEFT_EMU_TASK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idset.h"
#include "base/map.h"

struct task_type {
	uint32_t gid; /* the value in the timeline */
	const char *label;
	uint32_t source; /* value of its code location; 0: unknown */
	bool many;       /* several threads run one task of this type */
	bool inferred;   /* the event that created it is lost */
	bool mended;     /* a repair writes the event that creates it */
};

/* A task that was created and has not ended. */
struct task {
	uint32_t id;
	uint16_t slot;     /* index of its model: two runtimes may use the same
	                    * id */
	uint8_t body;      /* enum body */
	bool inferred : 1; /* the event that created it is lost */
	bool parallel : 1; /* its bodies run, each of them a task_body */
	const struct task_type *type;
	union {
		struct task *below; /* next on the thread's stack */
		uint64_t ended; /* for a parallel task, which is on no stack:
		                 * bit b - 1 is set when body b has ended, up to
		                 * TASK_ENDED */
	};
	struct task *next; /* next in the hash chain */
};

#define TASK_ENDED 64
#define TASK_BODY 0x8000 /* bit of `slot` in bodies of parallel tasks */

/* A body of a parallel task, in the table by task_body_key(). */
struct task_body {
	struct task task;
	uint32_t of, body; /* ids of the task and of the body */
};

struct task_table {
	struct task **head; /* owned; NULL before the first task */
	size_t nheads;      /* a power of two, at least n, or 0 */
	size_t n;
	uint32_t top; /* the largest id that a task, not a body, ever had here:
	               * a larger one is new, which needs no look-up */
};

/* The ids of bodies that have ended and cannot run again: the first TASK_ENDED
 * of each task are bits in the task. {0} is empty. */
struct task_ended {
	struct map number;   /* (model, task) -> number of the task, from 1 */
	struct idset bodies; /* (number of the task, body) */
};

/* Add a body of the parallel task `of`; return whether it was added. */
void task_ended_add(struct task_ended *e, struct task *of, uint32_t body);
bool task_ended_has(
	const struct task_ended *e, const struct task *of, uint32_t body);
void task_ended_fini(struct task_ended *e);

/* Returns the task, or NULL. */
struct task *task_table_get(
	const struct task_table *t, uint16_t slot, uint32_t id);

/* Returns the id of a body in the table, which other bodies may share. */
uint32_t task_body_key(uint32_t id, uint32_t body);

/* Returns a body of the task, or NULL. */
struct task *task_table_body(
	const struct task_table *t, uint16_t slot, uint32_t id, uint32_t body);

/* Adds a task, borrowed, that is not in the table. */
void task_table_add(struct task_table *t, struct task *task);

/* Removes a task that is in the table. */
void task_table_remove(struct task_table *t, struct task *task);

/* Frees the table, not the tasks. */
void task_table_fini(struct task_table *t);

#endif
