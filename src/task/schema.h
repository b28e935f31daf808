/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the tables of a task store: who writes and who reads one knows
 * them from here.
 *
 * Times are in the unit that meta names ("ps"). A task that was open at the
 * end has open set, and the time of the end as its end. Rows of tags and
 * milestones come in the order in which they happened, tasks in the order of
 * their ends, those still open last, by id.
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
	TASKS_COLUMNS
};

/* One row a step or tag. */
enum {
	TAGS_TASK,
	TAGS_TIME,
	TAGS_WHAT,
	TAGS_STEP, /* set: a step, else a tag */
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
	MILESTONES_COLUMNS
};

/* Facts about the run: "unit", "begin", "end", "faults", "dropped"... */
enum { META_KEY, META_VALUE, META_COLUMNS };

extern const struct store_table schema_tasks, schema_tags, schema_milestones,
	schema_meta;

#endif
