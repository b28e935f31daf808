/* SPDX-License-Identifier: MIT */
/*
 * query.h - one question about the tasks of a store, and its table.
 *
 *	query_columns(q, columns, 2);
 *	table_time(&q->table, t.end - t.start);
 *	query_name(q, t.what);
 */
#ifndef WEFT_CLI_TASKS_QUERY_H
#define WEFT_CLI_TASKS_QUERY_H

#include "cli/table.h"
#include "cli/tasks/store.h"

struct task_query {
	struct task_store store;
	struct table table;
	enum table_format format;
	int64_t top;    /* lines, where there may be many */
	int64_t depth;  /* of a tree */
	const char *by; /* "kind,what" */
	int64_t run;    /* 0: the last */
	bool has_id;
	uint64_t id;
	bool misused;     /* what failed is the command line */
	const char *none; /* what a text without lines says, or NULL */
};

/* Begins the table. */
void query_columns(
	struct task_query *q, const struct table_column *column, int n);

/* The next cell: a name of the store. */
void query_name(struct task_query *q, uint32_t name);

/* The next five cells: start, id, kind, what and location of a task. */
void query_task(struct task_query *q, const struct task *t);

/* "kind what", below something at that depth. */
void query_titled(
	struct task_query *q, int depth, uint32_t kind, uint32_t what);

/* The questions. False with err: it has no answer. */
bool query_info(struct task_query *q, struct err *err);
bool query_slowest(struct task_query *q, struct err *err);
bool query_groups(struct task_query *q, struct err *err);
bool query_tree(struct task_query *q, struct err *err);
bool query_where(struct task_query *q, struct err *err);
bool query_runs(struct task_query *q, struct err *err);
bool query_hang(struct task_query *q, struct err *err);

#endif
