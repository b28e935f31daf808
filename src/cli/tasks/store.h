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
	uint32_t kind, what, location; /* numbers of names: store_read_name() */
	bool has_parent, open;
	int64_t start, end; /* an open task ends with the run */
};

struct milestone {
	uint64_t task;
	int64_t time;
	uint32_t kind, what;
};

/* The tasks to keep. In patterns * stands for any text. */
struct task_filter {
	const char *kind, *what, *location; /* NULL: all */
	const char *from, *to;              /* times; NULL: no border */
	int64_t from_time, to_time;
};

/* Which names match a pattern, by number; each name is compared once. */
struct task_fits {
	const char *pattern;
	VEC(uint8_t) known;
};

struct task_store {
	struct arena arena;
	const char *address;
	bool is_server;
	struct journals journals;    /* journals beside the store */
	struct store_reader *reader; /* the names in the store, or in a journal
	                              * that has all names of the run */
	const struct store_table *tasks, *milestones;
	const struct store_table *meta; /* facts about the run; or NULL */
	const char *unit;
	const char *lost;   /* number of lost rows, or NULL */
	uint64_t run, runs; /* the run that is read, and the last run */
	struct task_filter filter;
	struct task_fits kind, what, location;
	bool asked, passed;   /* task_store_next() was called; it has returned
	                       * true */
	VEC(struct task) all; /* sorted by parent; see task_store_children() */
	bool loaded;
};

/* Opens a run, 0: the last. Returns false and sets err if there is no such
 * store, if it is no store of tasks, or if there is no such run. */
bool task_store_open(struct task_store *ts, const char *address, uint64_t run,
	struct err *err);

/* Does the same as task_store_open(), but the store may have any tables. */
bool task_store_open_run(struct task_store *ts, const char *address,
	uint64_t run, struct err *err);

/* Applies the filter. Returns false and sets err if a time is malformed. */
bool task_store_filter(struct task_store *ts, const struct task_filter *filter,
	struct err *err);

/* Walk the tasks that pass the filter. */
void task_store_start(struct task_store *ts);
bool task_store_next(struct task_store *ts, struct task *t);

/* Records which pattern of the filter matches no task at all, and the nearest
 * name that a task has, if no task passed the filter. */
void task_store_say_unmatched(struct task_store *ts);

/* Walk all milestones in time order. */
void task_store_start_milestones(struct task_store *ts);
bool task_store_next_milestone(struct task_store *ts, struct milestone *m);

/* Finds a task by id, regardless of the filter. */
bool task_store_find(struct task_store *ts, uint64_t id, struct task *t);

/* Returns the *n children of a task in the order of their starts, in
 * ts->arena. */
const struct task *task_store_children(
	struct task_store *ts, uint64_t id, int *n);

/* Returns the *n milestones of a task in time order. */
const struct milestone *task_store_milestones(
	struct task_store *ts, uint64_t id, int *n);

/* Closes the store. Returns false and sets err if a walk has failed. */
bool task_store_close(struct task_store *ts, struct err *err);

#endif
