/* SPDX-License-Identifier: MIT */
/*
 * query.h - a question about the tasks of a store, and the table that answers
 * it.
 *
 *	query_columns(q, columns, 2);
 *	table_time(&q->table, t.end - t.start);
 *	query_name(q, t.what);
 */
#ifndef WEFT_CLI_TASKS_QUERY_H
#define WEFT_CLI_TASKS_QUERY_H

#include "cli/table.h"
#include "cli/tasks/store.h"

/* The criteria by which tasks can be grouped. */
#define QUERY_GROUPS "kind,what,location"

struct task_query {
	struct task_store store;
	struct table table;
	enum table_format format;
	int64_t top;    /* limit of lines */
	int64_t depth;  /* levels of a tree */
	const char *by; /* criteria of QUERY_GROUPS: "kind,what" */
	int64_t run;    /* run number; 0: the last */
	bool has_id;
	uint64_t id;
	bool misused;     /* the failure is a usage error */
	const char *none; /* printed instead of an empty text table, or NULL */
};

/* Begins the table. */
void query_columns(
	struct task_query *q, const struct table_column *column, int n);

/* Adds a cell with a name of the store. */
void query_name(struct task_query *q, uint32_t name);

/* Adds five cells: start, id, kind, what and location of a task. */
void query_task(struct task_query *q, const struct task *t);

/* Adds a cell "kind what", indented by depth. */
void query_titled(
	struct task_query *q, int depth, uint32_t kind, uint32_t what);

/* The questions. Each returns false and sets err if there is no answer. */
bool query_info(struct task_query *q, struct err *err);
bool query_slowest(struct task_query *q, struct err *err);
bool query_groups(struct task_query *q, struct err *err);
bool query_tree(struct task_query *q, struct err *err);
bool query_where(struct task_query *q, struct err *err);
bool query_runs(struct task_query *q, struct err *err);
bool query_hang(struct task_query *q, struct err *err);

#endif
