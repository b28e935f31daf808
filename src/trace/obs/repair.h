/* SPDX-License-Identifier: MIT */
/*
 * repair.h - a whole trace from one whose writers were killed.
 *
 * What a death cuts off is at the end of streams, so each stream is copied up
 * to its last whole event, and what the rest would have said is inferred: a
 * thread that did not end ends, models and CPUs are those that events name,
 * a task that nobody created gets an unknown type. Threads see each other
 * only through moves (OAr) and CPUs, so the streams are first walked through
 * in time order; that yields a short list of edits a stream, and then the
 * streams are copied one by one. The input is only read.
 *
 * What was done, and what is lost, becomes findings.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_H
#define WEFT_TRACE_OBS_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct trace;

/* A model whose events may be in the trace. */
struct repair_model {
	const char *name, *version;
	char id;    /* first letter of its events */
	bool tasks; /* it has ?Yc, ?Tc, ?Tx, ?Te, ?Tp and ?Tr */
};

struct repair_options {
	const char *folder;               /* where the copy goes */
	const struct repair_model *model; /* borrowed */
	int nmodels;                      /* up to 32 */
	struct findings *done;            /* what was done; borrowed */
};

struct repair_result {
	int streams;         /* written */
	uint64_t events;     /* copied */
	uint64_t added;      /* events that were inferred */
	uint64_t dropped;    /* events that were left out */
	uint64_t clocks;     /* clocks that were set to the one before */
	uint64_t lost_bytes; /* behind the last whole event */
};

/*
 * Writes the ovni trace whose tables are given (metadata read, events not
 * needed) into the folder: streams and their metadata under the same names.
 * False with err when something cannot be written; what was written stays.
 */
bool repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err);

#endif
