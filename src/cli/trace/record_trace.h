/* SPDX-License-Identifier: MIT */
/*
 * record_trace.h - a file of records (export/reader.h) as the input of a
 * command that expects a trace.
 *
 * As with the tasks of a simulator's store (task_trace.h), the file looks like
 * a trace without threads and events, and its records replace the emulation.
 */
#ifndef WEFT_CLI_TRACE_RECORD_TRACE_H
#define WEFT_CLI_TRACE_RECORD_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct loss;
struct model;
struct reader_ops;
struct record_trace;
struct sink;
struct source;

/* Returns the reader of the file's format, or NULL: it is no file, or its
 * content is of no format of records. */
const struct reader_ops *record_trace_format(const char *path);

/* Returns the formats of records, with what they are, for a message. */
const char *record_trace_known(struct arena *a);

/* Opens a file of that format. Types that one of the models has get its keys.
 * Returns NULL and sets err on failure. */
struct record_trace *record_trace_open(struct arena *a, const char *path,
	const struct reader_ops *ops, const struct model *const *models,
	struct findings *findings, struct err *err);

/* Returns a source that stands for the trace. Closing it frees t. */
struct source *record_trace_source(struct record_trace *t);

/* Declares rows and types; times are in ns. */
void record_trace_declare(struct record_trace *t, struct sink *sink);

/* Passes all records to the sink in the order of their times. spill_dir is for
 * files whose records are not ordered. Returns false and sets err if the rest
 * of the file cannot be read. */
bool record_trace_play(struct record_trace *t, struct sink *sink,
	const char *spill_dir, struct err *err);

/* Returns true if the file has the type that shows when threads live. */
bool record_trace_has_life(const struct record_trace *t);

/* Calls fn for each kind of thing in the file that the records do not have. */
void record_trace_losses(const struct record_trace *t,
	void (*fn)(void *arg, const struct loss *loss), void *arg);

/* Return how many records were read, and the end of the timeline. */
uint64_t record_trace_count(const struct record_trace *t);
int64_t record_trace_end(const struct record_trace *t);

#endif
