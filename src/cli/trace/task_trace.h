/* SPDX-License-Identifier: MIT */
/*
 * task_trace.h - a simulator's store of tasks as the input of a command that
 * expects a trace.
 *
 * The store looks like a trace without threads and events, so filters, sinks
 * and reports need no special case. Only the emulation is replaced: the tasks
 * are played instead.
 */
#ifndef WEFT_CLI_TRACE_TASK_TRACE_H
#define WEFT_CLI_TRACE_TASK_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct task_trace;
struct sink;
struct source;

/* Returns true if the name is that of a store: "sqlite:FILE", a file of SQLite
 * or JSON, a directory of CSV files. */
bool task_trace_is(const char *address);

/* Returns the path in a name: FILE of "sqlite:FILE". */
const char *task_trace_path(const char *address);

/* Reads the run with this number, or the last for 0. Returns NULL and sets err
 * on failure. */
struct task_trace *task_trace_open(struct arena *a, const char *address,
	uint64_t which, struct findings *findings, struct err *err);

/* Returns a source that stands for the trace. Closing it frees t. */
struct source *task_trace_source(struct task_trace *t);

/* Returns how many of the store's time units make 1 ns, and the end of the last
 * task in that unit. */
int64_t task_trace_ticks(const struct task_trace *t);
int64_t task_trace_end(const struct task_trace *t);

uint64_t task_trace_count(const struct task_trace *t);

/* Declares the rows and types, and plays the tasks; times are in the store's
 * unit. Playing returns false and sets err if the store cannot be read; it ends
 * early when *stop is not 0. */
void task_trace_declare(struct task_trace *t, struct sink *sink);
bool task_trace_play(struct task_trace *t, struct sink *sink,
	const atomic_int *stop, struct err *err);

/* Return true if playing ended early; and the time at which it ended, in ns. */
bool task_trace_is_cut(const struct task_trace *t);
int64_t task_trace_reached(const struct task_trace *t);

/* From now on counts the played tasks that are open in this window. */
void task_trace_window(struct task_trace *t, int64_t from, int64_t to);

/* Writes how much was played: "123 tasks in 4 rows", in a window "7 of 123". */
const char *task_trace_text(const struct task_trace *t, char to[64]);

#endif
