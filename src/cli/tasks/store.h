/* SPDX-License-Identifier: MIT */
/*
 * store.h - the tasks of a store, for the queries of `weft tasks`.
 *
 *	struct task_store ts;
 *	struct task t;
 *	if (!task_store_open(&ts, "sqlite:run.db", &err)) ...
 *	for (task_store_start(&ts); task_store_next(&ts, &t);)
 *		...
 *	if (!task_store_close(&ts, &err)) ...
 */
#ifndef WEFT_CLI_TASKS_STORE_H
#define WEFT_CLI_TASKS_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "store/store.h"
#include "task/journals.h"

struct task {
	uint64_t id, parent;
	uint32_t kind, what, location; /* names of the reader */
	bool has_parent, open;
	int64_t start, end; /* of an open one: when the run ended */
};

struct milestone {
	uint64_t task;
	int64_t time;
	uint32_t kind, what;
};

/* Which tasks a query is about. Patterns may hold *, for any text. */
struct task_filter {
	const char *kind, *what, *location; /* NULL: all */
	const char *from, *to;              /* times; NULL: no border */
	int64_t from_time, to_time;
};

/* Whether a name fits, by its number: asked once for each. */
struct task_fits {
	const char *pattern;
	VEC(uint8_t) known;
};

struct task_store {
	struct arena arena;
	const char *place;
	bool is_server;
	struct journals journals;    /* that lie beside it */
	struct store_reader *reader; /* of the store, or of a journal, which
	                              * has all of its run */
	const struct store_table *tasks, *milestones;
	const struct store_table *meta; /* facts about the run, or NULL */
	const char *unit;
	const char *lost;   /* rows, or NULL: none */
	uint64_t run, runs; /* the one that is read; the last one's number */
	struct task_filter filter;
	struct task_fits kind, what, location;
	VEC(struct task) all; /* sorted by parent; see task_store_children() */
	bool loaded;
};

/* run: its number, 0: the last. False with err when there is no such store, or
 * not one of tasks, or no such run. */
bool task_store_open(struct task_store *ts, const char *place, uint64_t run,
	struct err *err);

/* Opens what has the rows of a run: its journal, or the store. As above, but
 * the tables may be any. */
bool task_store_open_run(struct task_store *ts, const char *place, uint64_t run,
	struct err *err);

/* What the options say. False with err: a time that is none. */
bool task_store_filter(struct task_store *ts, const struct task_filter *filter,
	struct err *err);

/* Walks over the tasks that the filter lets through. */
void task_store_start(struct task_store *ts);
bool task_store_next(struct task_store *ts, struct task *t);

/* Walks over all milestones, in the order of time. */
void task_store_start_milestones(struct task_store *ts);
bool task_store_next_milestone(struct task_store *ts, struct milestone *m);

/* The task of that id, whatever the filter says. */
bool task_store_find(struct task_store *ts, uint64_t id, struct task *t);

/* Its children, in the order of their start. *n tasks in ts->arena. */
const struct task *task_store_children(
	struct task_store *ts, uint64_t id, int *n);

/* The milestones of a task, in the order of time. */
const struct milestone *task_store_milestones(
	struct task_store *ts, uint64_t id, int *n);

/* False with err if a walk has failed. */
bool task_store_close(struct task_store *ts, struct err *err);

#endif
