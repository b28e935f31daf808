/* SPDX-License-Identifier: MIT */
/*
 * run_tasks.h - a simulator's store of tasks, where a trace is expected.
 *
 * It looks like a trace without threads and events, so that filters, sinks and
 * reports need not know; only what would emulate plays tasks instead.
 */
#ifndef WEFT_CLI_TRACE_RUN_TASKS_H
#define WEFT_CLI_TRACE_RUN_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct run_tasks;
struct sink;
struct source;

/* True if the name is one of a store: "sqlite:FILE", a file of SQLite or JSON,
 * a folder of CSV. */
bool run_tasks_is(const char *place);

/* The file or folder of a name: FILE of "sqlite:FILE". */
const char *run_tasks_path(const char *place);

/* Reads a run of a store, 0: the last. NULL with err. */
struct run_tasks *run_tasks_open(struct arena *a, const char *place,
	uint64_t which, struct findings *findings, struct err *err);

/* What stands for the trace; closing it ends the rest, too. */
struct source *run_tasks_source(struct run_tasks *t);

/* Of the store's unit: how many are a ns, and the end of the last task. */
int64_t run_tasks_ticks(const struct run_tasks *t);
int64_t run_tasks_end(const struct run_tasks *t);

uint64_t run_tasks_count(const struct run_tasks *t);

/* Declares and plays the tasks; times are in the store's unit. False with err
 * if the store cannot be read. */
void run_tasks_declare(struct run_tasks *t, struct sink *sink);
bool run_tasks_play(struct run_tasks *t, struct sink *sink, struct err *err);

/* Counts the tasks that are open in this window while they are played. */
void run_tasks_window(struct run_tasks *t, int64_t from, int64_t to);

/* How much there was: "123 tasks in 4 rows"; in a window "7 of 123". */
const char *run_tasks_text(const struct run_tasks *t, char to[64]);

#endif
