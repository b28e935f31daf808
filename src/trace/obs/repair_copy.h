/* SPDX-License-Identifier: MIT */
/*
 * repair_copy.h - one stream, copied with edits.
 */
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
	int index; /* of the stream */
	int64_t clock_offset;
	repair_edit_fn *edit;
	const void *arg;
	struct findings *done; /* says what is lost */
};

/* Copies up to the last whole event, with the edits; clocks that go back are
 * set to the one before. Counts are added to the result; *cut: some edit says
 * so. */
bool repair_copy(struct arena *a, const struct repair_copy *c, const char *to,
	struct repair_result *result, bool *cut, struct err *err);

#endif
