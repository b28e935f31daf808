/* SPDX-License-Identifier: MIT */
/*
 * repair_out.h - edits of one stream, and the edited copy.
 *
 * Edits are kept in the order of the stream. Each stands before the event at
 * its offset (or behind the last one) and inserts an event, or drops that one.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_OUT_H
#define WEFT_TRACE_OBS_REPAIR_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct arena;
struct repair_result;
struct stream;

enum edit_kind {
	EDIT_DROP,     /* the event at the offset */
	EDIT_START,    /* OHx on the virtual CPU */
	EDIT_PAUSE,    /* OHp */
	EDIT_LEAVE,    /* OAr: thread a, to the virtual CPU */
	EDIT_RESUME,   /* OHr */
	EDIT_END,      /* OHe */
	EDIT_FLUSHED,  /* OF] */
	EDIT_TYPE,     /* ?Yc: task type a of the model */
	EDIT_TASK,     /* ?Tc: task a of type b */
	EDIT_PARALLEL, /* ?TC: the same, with many bodies */
};

#define EDIT_TAIL INT64_MAX

struct edit {
	int64_t offset, time; /* time: corrected ns */
	uint32_t a, b;
	uint8_t kind; /* enum edit_kind */
	char model;
};

struct edits {
	VEC(struct edit) list;
};

/* What the copy of one stream needs to know. */
struct repair_copy {
	const struct stream *stream;
	const struct edits *edits;
	int64_t clock_offset;
	int32_t tid; /* of its thread */
};

/* Copies up to the last whole event, with the edits; clocks that go back are
 * set to the one before. Counts are added to the result. */
bool repair_copy(struct arena *a, const struct repair_copy *c, const char *to,
	struct repair_result *result, struct err *err);

#endif
