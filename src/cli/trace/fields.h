/* SPDX-License-Identifier: MIT */
/*
 * fields.h - the fields of an event as babeltrace prints them:
 *
 *	{ cpu_id = 3 }, { unbounded = { tid = 7 } }, { label = "fib", type = 5 }
 *
 * Each class has a plan, made once: pieces of constant text, each followed by
 * the value of one field.
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
	const struct field *field; /* field whose value follows the text; NULL:
	                            * none */
	uint32_t slot;
};

struct fields_plan {
	VEC(struct fields_piece) piece;
};

/* Plans all fields of the class, or the packet context alone. */
struct fields_plan *fields_plan(
	struct arena *a, const struct event_class *class, bool packet);

/* Appends the fields of one event, without control characters. */
void fields_put(struct out *o, const struct fields_plan *plan,
	const union value *value);

/*
 * Appends the members of a struct as JSON: "a":1,"b":[2]. more: the object
 * already has members, so a comma is needed. Returns true if the object now has
 * members.
 */
bool fields_json(struct out *o, const struct field *field, int n,
	const union value *value, bool more);

/* Appends the event's own fields as members, or those of all its contexts. */
void fields_scopes_json(struct out *o, const struct event_class *class,
	const union value *value, bool own);

#endif
