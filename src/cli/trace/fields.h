/* SPDX-License-Identifier: MIT */
/*
 * fields.h - the fields of an event as babeltrace prints them:
 *
 *	{ cpu_id = 3 }, { unbounded = { tid = 7 } }, { label = "fib", type = 5 }
 *
 * What does not change from event to event is made once a class: a plan is
 * pieces of text, each with the field that follows it.
 */
#ifndef WEFT_CLI_TRACE_FIELDS_H
#define WEFT_CLI_TRACE_FIELDS_H

#include "base/out.h"
#include "base/vec.h"
#include "trace/event.h"

struct arena;

struct fields_piece {
	const char *text;
	size_t length;
	const struct field *field; /* NULL: nothing follows */
	uint32_t slot;
};

struct fields_plan {
	VEC(struct fields_piece) piece;
};

/* Of the class, or without the context of its packet. */
struct fields_plan *fields_plan(
	struct arena *a, const struct event_class *class, bool packet);

/* The text of an event; it holds no control characters. */
void fields_put(struct out *o, const struct fields_plan *plan,
	const union value *value);

/*
 * Members of a struct as JSON: "a":1,"b":[2]. more: some stand before, so that
 * a comma is needed. Returns true if now some do.
 */
bool fields_json(struct out *o, const struct field *field, int n,
	const union value *value, bool more);

#endif
