/* SPDX-License-Identifier: MIT */
/*
 * repair.h - a whole trace from one whose writers were killed.
 *
 * What a death cuts off is at the end of streams, so each stream is copied up
 * to its last whole event. What else a whole trace would have is told: events,
 * as edits of the streams, and what the tables of the trace have beyond the
 * files that they were read from. The emulator infers both (emu/mend.h,
 * emu/infer.h); nothing of it is known here. The input is only read.
 *
 * What was done, and what is lost, becomes findings.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_H
#define WEFT_TRACE_OBS_REPAIR_H

#include "base/err.h"
#include "trace/obs/repair_edit.h"
#include "trace/obs/repair_result.h"

struct arena;
struct findings;
struct trace;

struct repair_options {
	const char *folder; /* where the copy goes */
	repair_edit_fn *edit;
	const void *arg;       /* of edit() */
	struct findings *done; /* what was done; borrowed */
};

/*
 * Writes the ovni trace whose tables are given (completed; events not needed)
 * into the folder: streams and their metadata under the same names. False with
 * err when something cannot be written; what was written stays.
 */
bool repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err);

#endif
