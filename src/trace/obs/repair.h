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

#include "base/err.h"
#include "trace/obs/repair_result.h"

struct arena;
struct trace;

/*
 * Writes the ovni trace whose tables are given (metadata read, events not
 * needed) into the folder: streams and their metadata under the same names.
 * False with err when something cannot be written; what was written stays.
 */
bool repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err);

#endif
