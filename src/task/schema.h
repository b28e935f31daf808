/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the tables of a task store: who writes and who reads one knows
 * them from here.
 *
 * Times are in the unit that meta names ("ps"). A task that was open at the
 * end has open set, and the time of the end as its end. Rows of tags and
 * milestones come in the order in which they happened, tasks in the order of
 * their ends, those still open last, by id.
 *
 * A store holds one or more runs, numbered from 1: the last column of every
 * table is the number of the row's run. Stores of before had no such column.
 * The first row of a run is its "unit", put when it begins; a run that ended
 * has an "end".
 */
#ifndef WEFT_TASK_SCHEMA_H
#define WEFT_TASK_SCHEMA_H

#include "store/store.h"

/* One row a task. */
enum {
	TASKS_ID,
	TASKS_PARENT, /* null: none */
	TASKS_KIND,
	TASKS_WHAT,
	TASKS_LOCATION,
	TASKS_START,
	TASKS_END,
	TASKS_OPEN,
	TASKS_RUN,
	TASKS_COLUMNS
};

/* One row a step or tag. */
enum {
	TAGS_TASK,
	TAGS_TIME,
	TAGS_WHAT,
	TAGS_STEP, /* set: a step, else a tag */
	TAGS_RUN,
	TAGS_COLUMNS
};

/* One row a milestone: what the task waited for since the milestone before it,
 * or since its start. */
enum {
	MILESTONES_TASK,
	MILESTONES_TIME,
	MILESTONES_KIND,
	MILESTONES_WHAT,
	MILESTONES_LOCATION, /* null: the task's */
	MILESTONES_RUN,
	MILESTONES_COLUMNS
};

/* Facts about the run: "unit", "begin", "end", "faults", "dropped"... Of a run
 * whose journal had no room, "lost": how many rows, 0 if that was not counted
 * as it was killed. */
enum { META_KEY, META_VALUE, META_RUN, META_COLUMNS };

#define SCHEMA_RUN "run" /* the name of that column */
#define SCHEMA_LOST "lost"

/* True if t is the table, or is as it was before there were runs. */
bool schema_fits(const struct store_table *t, const struct store_table *want);

/* The last and the first run that a store has; 0: none, or none that is
 * numbered. */
uint64_t schema_last_run(struct store_reader *r);
uint64_t schema_first_run(struct store_reader *r);

bool schema_has_run(struct store_reader *r, uint64_t run);

extern const struct store_table schema_tasks, schema_tags, schema_milestones,
	schema_meta;

#endif
