/* SPDX-License-Identifier: MIT */
/*
 * describe.h - an event in words: what its row says, with the arguments.
 *
 * The sentence is taken apart once a class, so that an event costs a few
 * copies. All models are asked, whether a thread requires them or not, and
 * also the rows that emulation ignores.
 *
 *	const struct description *d = describe_class(&arena, class, models);
 *	int64_t n = describe_event(d, &ev, line, sizeof line);
 */
#ifndef WEFT_EMU_DESCRIBE_H
#define WEFT_EMU_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "emu/bind.h"
#include "trace/event.h"

struct arena;

/* Text, and the argument that follows it. */
struct describe_part {
	const char *text;
	size_t length;
	int arg;         /* index in the binding, or -1: none follows */
	char conversion; /* of printf; 0: as the type asks for */
	char format[16]; /* for printf, of a long long; made, never taken over
	                  */
};

struct description {
	const struct binding *binding; /* action ACTION_UNKNOWN: no row */
	int nparts;
	struct describe_part *part;
	int nfields; /* of a described class */
	const struct field *field;
};

/* An argument by its name. */
struct describe_arg {
	const char *name; /* or NULL */
	enum field_type type;
	union value value; /* s may be NULL: it does not end in the payload */
};

/*
 * How events of the class are put in words, by the rows of the models m,
 * which end with NULL. Never NULL; if no row has the class it is still good
 * for describe_get().
 */
const struct description *describe_class(struct arena *a,
	const struct event_class *class, const struct model *const *m);

/*
 * The sentence of an event, written as snprintf() does: cut and terminated at
 * room >= 1, while the length of the whole is returned. -1: no row has it, or
 * its payload lacks what the sentence says.
 */
int64_t describe_event(const struct description *d, const struct event *ev,
	char *to, size_t room);

/* Why describe_event() returned -1. */
const char *describe_why(const struct description *d);

/* Why it cannot: no model has a row. */
#define DESCRIBE_UNKNOWN \
	"no model of this build knows it; the commands of weft take yours " \
	"with --model"

/* The sentence of the whole class: "ends the task <taskid>"; "" if unknown. */
int64_t describe_says(const struct description *d, char *to, size_t room);

/*
 * Argument i of an event, as its row or else the reader names it. False when
 * there are no more.
 */
bool describe_get(const struct description *d, const struct event *ev, int i,
	struct describe_arg *to);

/*
 * What a row says, held against its signature: every argument exists, every
 * conversion is one of "diuxXo" for a number, or "s" for a string. False with
 * err: the column and what is wrong.
 */
bool describe_check(const char *says, const char *signature, struct err *err);

#endif
