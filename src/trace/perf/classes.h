/* SPDX-License-Identifier: MIT */
/*
 * classes.h - the classes of events of a file of perf, and the values of an
 * event's fields.
 *
 * Each event has the context {pid, tid} and then its own fields: those of a
 * tracepoint by its format, or those of the tables in classes.c.
 */
#ifndef WEFT_TRACE_PERF_CLASSES_H
#define WEFT_TRACE_PERF_CLASSES_H

#include "base/arena.h"
#include "perf/record.h"
#include "trace/event.h"
#include "trace/perf/file.h"

struct trace;

#define PERF_CLASS_NONE UINT32_MAX

/* Records that are no samples, as classes. */
enum perf_kind {
	PERF_SAMPLE_TAKEN,
	PERF_SWITCH_IN,
	PERF_SWITCH_OUT,
	PERF_COMM,
	PERF_FORK,
	PERF_EXIT,
	PERF_KINDS,
};

/* The class of an event's samples. */
struct perf_class {
	uint32_t class;              /* PERF_CLASS_NONE: none yet */
	const struct tracepoint *of; /* NULL: it is no tracepoint */
};

struct perf_classes {
	bool swapped;              /* raw data is in the other byte order */
	uint32_t kind[PERF_KINDS]; /* class of each, or PERF_CLASS_NONE */
	struct perf_class *event;  /* by the index of the event */
	union value *values;       /* of the current event */
	struct arena lists;        /* lists and texts of the current event */
};

/* Adds the classes that the file's events can have to the trace. */
void perf_classes_add(
	struct perf_classes *c, struct trace *t, const struct perf_file *f);

/* Fills in the context and returns the values behind it, for the fields of a
 * class. */
union value *perf_classes_begin(
	struct perf_classes *c, const struct perf_record *r);

/* Fill in the fields of a sample. perf_classes_tracepoint() returns false if
 * the raw data are too short. */
void perf_classes_sample(struct perf_classes *c, const struct perf_record *r,
	const struct perf_file_event *e);
bool perf_classes_tracepoint(struct perf_classes *c,
	const struct perf_record *r, const struct tracepoint *t);

void perf_classes_fini(struct perf_classes *c);

#endif
