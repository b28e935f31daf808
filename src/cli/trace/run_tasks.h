/* SPDX-License-Identifier: MIT */
/*
 * run_tasks.h - a simulator's store of tasks, where a trace is expected.
 *
 * It looks like a trace without threads and events, so that filters, sinks and
 * reports need not know; only what would emulate plays tasks instead.
 */
#ifndef WEFT_CLI_TRACE_RUN_TASKS_H
#define WEFT_CLI_TRACE_RUN_TASKS_H

#include "cli/trace/run.h"

/* True if the name is one of a store: "sqlite:FILE", a file of SQLite or JSON,
 * a folder of CSV. */
bool run_tasks_is(const char *place);

/* The file or folder of a name: FILE of "sqlite:FILE". */
const char *run_tasks_path(const char *place);

/* Reads it; sets r->source and r->tasks. False with err. */
bool run_tasks_open(struct run *r, const char *place, struct err *err);

/* Warns of a window of the filter that holds nothing. */
void run_tasks_window(struct run *r);

/* What run_declare() and run_emulate() do; times are in the store's unit. */
void run_tasks_declare(struct run *r, struct sink *sink);
bool run_tasks_play(struct run *r, struct sink *sink, struct err *err);

/* How much there was: "123 tasks in 4 rows". */
const char *run_tasks_text(const struct run *r, char to[64]);

#endif
