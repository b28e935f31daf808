/* SPDX-License-Identifier: MIT */
/*
 * task_table.h - the live tasks of a process, by model and id.
 *
 * A program may hold millions at once, so a task costs no more than itself
 * and the head of a chain: 48 bytes at most. The heads double in place, so
 * that there is never a second table beside the first. {0} is an empty table.
 */
#ifndef WEFT_EMU_TASK_TABLE_H
#define WEFT_EMU_TASK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task_type {
	uint32_t gid; /* the value in the timeline */
	const char *label;
	uint32_t source; /* value of where it is in the program; 0: unknown */
	bool many;       /* several threads run one task of it */
	bool inferred;   /* what created it is lost */
	bool mended;     /* ... and noted */
};

/* One that was created and has not ended. */
struct task {
	uint32_t id;
	uint16_t slot; /* of its model: two runtimes may use the same id */
	uint8_t body;  /* enum body */
	bool inferred; /* what created it is lost */
	const struct task_type *type;
	struct task *below; /* on the thread's stack */
	struct task *next;  /* in the table */
};

struct task_table {
	struct task **head; /* owned; NULL when nothing was ever added */
	size_t nheads;      /* a power of two, at least n, or 0 */
	size_t n;
};

/* The task, or NULL. */
struct task *task_table_get(
	const struct task_table *t, uint16_t slot, uint32_t id);

/* Adds a task, borrowed, that is not in the table yet. */
void task_table_add(struct task_table *t, struct task *task);

/* Takes out a task that is in the table. */
void task_table_remove(struct task_table *t, struct task *task);

/* Frees the table, not the tasks. */
void task_table_fini(struct task_table *t);

#endif
