/* SPDX-License-Identifier: MIT */
/* repair_copy.h - copies one stream, with edits. */
#ifndef WEFT_TRACE_OBS_REPAIR_COPY_H
#define WEFT_TRACE_OBS_REPAIR_COPY_H

#include "base/err.h"
#include "trace/obs/repair_edit.h"

struct arena;
struct findings;
struct repair_result;
struct stream;

struct repair_copy {
	const struct stream *stream;
	int index;                     /* index of the stream */
	const struct trace_node *node; /* whose clocks the events have */
	repair_edit_fn *edit;
	const void *arg;
	struct findings *done; /* findings about lost bytes */
};

/* Copies the stream up to its last whole event, with the edits; a clock that
 * goes back is set to the previous one. Adds its counts to the result. Sets
 * *cut if some edit has `cut`. */
bool repair_copy(struct arena *a, const struct repair_copy *c, const char *to,
	struct repair_result *result, bool *cut, struct err *err);

#endif
