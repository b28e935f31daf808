/* SPDX-License-Identifier: MIT */
/*
 * runs.h - counts executions of tasks in what the rows of threads show.
 *
 * Two types tell: the id of the task that runs, and the type of that task. An
 * id that a thread shows for the first time is an execution; one that it has
 * shown before is a task that goes on, after a pause or when a task that was
 * begun on top of it has ended. Both records have the same time, in either
 * order; the record of the type lacks when the type stays the same. So an
 * execution waits for the next record of another time: what the row shows then
 * is its type.
 */
#ifndef WEFT_EXPORT_STAT_RUNS_H
#define WEFT_EXPORT_STAT_RUNS_H

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
struct stat_row_runs {
	uint32_t row;
	int64_t type;  /* that the row shows */
	int64_t time;  /* of an id or a type whose other half is to come */
	bool waits;    /* an id waits for its type */
	bool is_new;   /* and it is an execution */
	bool has_type; /* a type came first, and waits for its id */
};

struct stat_runs {
	struct arena *arena;            /* borrowed */
	const struct stat_tasks *tasks; /* borrowed; a NULL id ends them */
	struct map seen;   /* pair, row, id: shown before; value: nothing */
	struct map row_of; /* row, pair -> index + 1 */
	VEC(struct stat_row_runs) rows;
	/* Called for each execution: its row, and the type of the task. */
	void (*count)(void *arg, uint32_t pair, uint32_t row, int64_t type);
	void *arg;
};

/* What a type tells. */
struct stat_role {
	enum { ROLE_NONE, ROLE_TASK_ID, ROLE_TASK_TYPE } tells;
	uint32_t pair; /* of which tasks */
};

struct stat_role stat_runs_role(
	const struct stat_runs *runs, const struct type *type);

/* A record of an id or a type. */
void stat_runs_add(
	struct stat_runs *runs, struct stat_role role, const struct record *r);

/* Counts executions that still wait. */
void stat_runs_end(struct stat_runs *runs);

void stat_runs_fini(struct stat_runs *runs);

#endif
