/* SPDX-License-Identifier: MIT */
/*
 * repair.h - writes a complete trace from a trace whose writers were killed.
 *
 * A killed writer leaves incomplete streams, so each stream is copied up to its
 * last whole event. Whatever else is missing is passed in: events, as edits of
 * the streams, and entries of the trace's tables that no file holds. The
 * emulator infers both (emu/mend.h, emu/infer.h). The input is only read.
 *
 * Findings tell what was done, and what is lost.
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
	const char *folder; /* directory of the copy */
	repair_edit_fn *edit;
	const void *arg;       /* argument of edit() */
	struct findings *done; /* findings about what was done; borrowed */
};

/*
 * Writes an ovni trace into the directory: streams and their metadata under the
 * same names. The trace's tables must be complete; no event has to be read
 * before. Returns false with err when something cannot be written; files
 * already written stay.
 */
bool repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err);

#endif
