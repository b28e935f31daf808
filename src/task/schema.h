/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the tables of a task store, for writers and readers.
 *
 * Times are in the unit that meta names ("ps"). A task that was open at the end
 * has `open` set and the end of the run as its end. Rows of tags and milestones
 * are in time order. Tasks are in the order of their ends; tasks still open
 * come last, by id.
 *
 * A store holds one or more runs, numbered from 1. The last column of every
 * table is the number of the run; stores of older versions lack this column.
 * The first row of a run in meta is its "unit", written when the run begins; a
 * run that ended has an "end".
 */
#ifndef WEFT_TASK_SCHEMA_H
#define WEFT_TASK_SCHEMA_H

#include "store/store.h"

/* One database row for each task. */
enum {
	TASKS_ID,
	TASKS_PARENT, /* null: no parent */
	TASKS_KIND,
	TASKS_WHAT,
	TASKS_LOCATION,
	TASKS_START,
	TASKS_END,
	TASKS_OPEN,
	TASKS_RUN,
	TASKS_COLUMNS
};

/* One database row for each step or tag. */
enum {
	TAGS_TASK,
	TAGS_TIME,
	TAGS_WHAT,
	TAGS_STEP, /* set: a step, else a tag */
	TAGS_RUN,
	TAGS_COLUMNS
};

/* One database row for each milestone: what the task waited for since the
 * previous milestone or since its start. */
enum {
	MILESTONES_TASK,
	MILESTONES_TIME,
	MILESTONES_KIND,
	MILESTONES_WHAT,
	MILESTONES_LOCATION, /* null: the location of the task */
	MILESTONES_RUN,
	MILESTONES_COLUMNS
};

/* Facts about a run: "unit", "begin", "end", "faults", "dropped"... "lost" is
 * the number of rows for which the journal had no room, 0 if the simulator was
 * killed before it counted them. */
enum { META_KEY, META_VALUE, META_RUN, META_COLUMNS };

#define SCHEMA_RUN "run" /* the name of the column with the run's number */
#define SCHEMA_LOST "lost"

/* Returns true if t has the columns of `want`, or all of them except the run's
 * number. */
bool schema_fits(const struct store_table *t, const struct store_table *want);

/* Returns the number of the last and of the first run of a store; 0: the store
 * has no run, or no numbered one. */
uint64_t schema_last_run(struct store_reader *r);
uint64_t schema_first_run(struct store_reader *r);

bool schema_has_run(struct store_reader *r, uint64_t run);

extern const struct store_table schema_tasks, schema_tags, schema_milestones,
	schema_meta;

#endif
