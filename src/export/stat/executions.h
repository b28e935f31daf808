/* SPDX-License-Identifier: MIT */
/*
 * executions.h - counts executions of tasks from the records of thread rows.
 *
 * Two types carry the information: the id of the running task, and the type of
 * that task. An id that a thread shows for the first time is an execution. An
 * id that it has shown before is a task that continues, after a pause or
 * because a task nested on it has ended. Both records have the same time, in
 * either order; the record of the type is missing when the type stays the same.
 * So an execution waits for the next record of a later time; the type that the
 * row shows then is the execution's type.
 */
#ifndef WEFT_EXPORT_STAT_EXECUTIONS_H
#define WEFT_EXPORT_STAT_EXECUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"

/* The keys of the two types: "nanos6.taskid", "nanos6.task_type". */
struct stat_tasks {
	const char *id, *type;
};

/* The tasks of one row. */
struct stat_row_executions {
	uint32_t row;
	int64_t type;  /* the type of task that the row shows */
	int64_t time;  /* time of an id or a type that still waits for the other
	                * one */
	bool waits;    /* an id has come and waits for its type */
	bool is_new;   /* the waiting id is an execution */
	bool has_type; /* a type has come first and waits for its id */
};

struct stat_executions {
	struct arena *arena;            /* borrowed */
	const struct stat_tasks *tasks; /* borrowed; a NULL id ends the list */
	struct map seen;   /* set of (pair, row, id) shown before */
	struct map row_of; /* row, pair -> index + 1 */
	VEC(struct stat_row_executions) rows;
	/* Called for each execution, with its row and the type of the task. */
	void (*count)(void *arg, uint32_t pair, uint32_t row, int64_t type);
	void *arg;
};

/* What the records of a type contain. */
struct stat_role {
	enum { ROLE_NONE, ROLE_TASK_ID, ROLE_TASK_TYPE } tells;
	uint32_t pair; /* index in stat_executions.tasks */
};

struct stat_role stat_executions_role(
	const struct stat_executions *runs, const struct type *type);

/* Takes a record of an id or a type. */
void stat_executions_add(struct stat_executions *runs, struct stat_role role,
	const struct record *r);

/* Counts the executions that still wait. */
void stat_executions_end(struct stat_executions *runs);

void stat_executions_fini(struct stat_executions *runs);

#endif
