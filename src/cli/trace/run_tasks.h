/* SPDX-License-Identifier: MIT */
/*
 * run_tasks.h - a simulator's store of tasks as the input of a command that
 * expects a trace.
 *
 * The store looks like a trace without threads and events, so filters, sinks
 * and reports need no special case. Only the emulation is replaced: the tasks
 * are played instead.
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

/* Returns true if the name is that of a store: "sqlite:FILE", a file of SQLite
 * or JSON, a directory of CSV files. */
bool run_tasks_is(const char *place);

/* Returns the path in a name: FILE of "sqlite:FILE". */
const char *run_tasks_path(const char *place);

/* Reads the run with this number, or the last for 0. Returns NULL and sets err
 * on failure. */
struct run_tasks *run_tasks_open(struct arena *a, const char *place,
	uint64_t which, struct findings *findings, struct err *err);

/* Returns a source that stands for the trace. Closing it frees t. */
struct source *run_tasks_source(struct run_tasks *t);

/* Returns how many of the store's time units make 1 ns, and the end of the last
 * task in that unit. */
int64_t run_tasks_ticks(const struct run_tasks *t);
int64_t run_tasks_end(const struct run_tasks *t);

uint64_t run_tasks_count(const struct run_tasks *t);

/* Declares the rows and types, and plays the tasks; times are in the store's
 * unit. Playing returns false and sets err if the store cannot be read. */
void run_tasks_declare(struct run_tasks *t, struct sink *sink);
bool run_tasks_play(struct run_tasks *t, struct sink *sink, struct err *err);

/* From now on counts the played tasks that are open in this window. */
void run_tasks_window(struct run_tasks *t, int64_t from, int64_t to);

/* Writes how much was played: "123 tasks in 4 rows", in a window "7 of 123". */
const char *run_tasks_text(const struct run_tasks *t, char to[64]);

#endif
