/* SPDX-License-Identifier: MIT */
/*
 * declared_row.h - the rows of a model that a trace declares (declared.h), as
 * the functions of entry_point.h read them.
 */
#ifndef WEFT_EMU_CTF_DECLARED_ROW_H
#define WEFT_EMU_CTF_DECLARED_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "emu/bind.h"

/* Channels and values of these models. */
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

/* A model row. */
struct declared_row {
	const char *point; /* "wait" */
	int64_t value;     /* value of the call, or of the event */
	bool is_tc;
};

/* A declared model; `model` must be the first member. */
struct declared_model {
	struct model model;
	VEC(struct declared_row) rows;
};

/* Returns the model row that an event of a declared model was bound to. */
static inline const struct declared_row *
declared_row(const struct binding *b)
{
	const struct declared_model *d =
		(const struct declared_model *)b->model;

	return &d->rows.at[b->value];
}

#endif
