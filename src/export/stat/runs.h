/* SPDX-License-Identifier: MIT */
/*
 * runs.h - counts executions of tasks in what the rows of threads show.
 *
 * Two types tell: the id of the task that runs, and the type of that task. An
 * id that a thread shows for the first time is an execution; one that it has
 * shown before is a task that goes on, after a pause or when a task that was
 * begun on top of it has ended. The record of the id comes before that of the
 * type, at the same time.
 */
#ifndef WEFT_EXPORT_STAT_RUNS_H
#define WEFT_EXPORT_STAT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "export/sink.h"

/* The keys of the two types: "nanos6.taskid", "nanos6.task_type". */
struct stat_tasks {
	const char *id, *type;
};

struct stat_runs {
	const struct stat_tasks *tasks; /* borrowed; a NULL id ends them */
	struct map seen;  /* pair, row, id: shown before; value: nothing */
	struct map begun; /* row, pair -> an execution has no type yet */
};

/* What a type tells. */
struct stat_role {
	enum { ROLE_NONE, ROLE_TASK_ID, ROLE_TASK_TYPE } tells;
	uint32_t pair; /* of which tasks */
};

struct stat_role stat_runs_role(
	const struct stat_runs *runs, const struct type *type);

/* A record of a task's id. */
void stat_runs_id(
	struct stat_runs *runs, struct stat_role role, const struct record *r);

/* True if this record of a task's type begins an execution. */
bool stat_runs_begin(
	struct stat_runs *runs, struct stat_role role, const struct record *r);

void stat_runs_fini(struct stat_runs *runs);

#endif
