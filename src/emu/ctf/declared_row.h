/* SPDX-License-Identifier: MIT */
/*
 * declared_row.h - what the rows of a model that a trace declares (declared.h)
 * are about: what the functions of point.h read.
 */
#ifndef WEFT_EMU_CTF_DECLARED_ROW_H
#define WEFT_EMU_CTF_DECLARED_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "emu/bind.h"

/* Channels of these models, and values. */
enum {
	DECLARED_CALLS,
	DECLARED_CONTEXT,
	DECLARED_TASK,
	DECLARED_TYPE,
	DECLARED_EVENT,
	DECLARED_CHANS,
};

enum { CALLS_TASK = 1 };
enum { CONTEXT_TASK = 1, CONTEXT_TC, CONTEXT_OC };

/* What a row of such a model is about. */
struct declared_row {
	const char *point; /* "wait" */
	int64_t value;     /* of the call, or of the event */
	bool is_tc;
};

/* Such a model, which is the first member, and the rows of its events. */
struct declared_model {
	struct model model;
	VEC(struct declared_row) rows;
};

/* The row that an event of such a model was bound to. */
static inline const struct declared_row *
declared_row(const struct binding *b)
{
	const struct declared_model *d =
		(const struct declared_model *)b->model;

	return &d->rows.at[b->value];
}

#endif
