/* SPDX-License-Identifier: MIT */
/*
 * describe.h - describes an event in words: the sentence of its row, with the
 * arguments.
 *
 * The sentence is parsed once per class, so that an event costs a few copies.
 * All models are searched, whether a thread requires them or not, and also the
 * rows that emulation ignores.
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

/* A piece of text and the argument that follows it. */
struct describe_part {
	const char *text;
	size_t length;
	int arg;         /* index in the binding; -1: no argument follows */
	char conversion; /* conversion of printf; 0: the usual one for the
	                  * argument's type */
	char format[16]; /* format for printf() of a long long; built here,
	                  * never copied from a model */
};

struct description {
	const struct binding *binding; /* action ACTION_UNKNOWN: no model
	                                * has this event */
	int nparts;
	struct describe_part *part;
	int nfields; /* number of fields of the class; 0: the trace does not
	              * describe them */
	const struct field *field;
};

/* An argument with its name. */
struct describe_arg {
	const char *name; /* or NULL */
	enum field_type type;
	union value value; /* s may be NULL: the string does not end in the
	                    * payload */
};

/*
 * Returns how to describe events of the class, by the rows of the models m,
 * which end with NULL. Never returns NULL: if no row has the class,
 * describe_get() still works.
 */
const struct description *describe_class(struct arena *a,
	const struct event_class *class, const struct model *const *m);

/* Does the same in plain words, which the ovni tools do not have. */
const struct description *describe_plainly(struct arena *a,
	const struct event_class *class, const struct model *const *m);

/*
 * Writes the sentence of an event as snprintf() does: cut off and terminated at
 * room >= 1, returning the whole length. Returns -1 if no row has the event, or
 * its payload lacks an argument of the sentence.
 */
int64_t describe_event(const struct description *d, const struct event *ev,
	char *to, size_t room);

/* Returns the reason why describe_event() returned -1. */
const char *describe_why(const struct description *d);

/* The reason if no model has a row. */
#define DESCRIBE_UNKNOWN \
	"no model of this build has it; a model file of your own " \
	"(--model of weft's commands) can add it"

/* Writes the sentence of a class, with names for arguments: "ends the task
 * <taskid>"; "" if unknown. Returns its length. */
int64_t describe_says(const struct description *d, char *to, size_t room);

/* Writes the sentence of a row, with its arguments' names between two texts.
 * Returns its length; a sentence with an error is written unchanged. */
int64_t describe_named(const char *says, const char *signature,
	const char *before, const char *after, char *to, size_t room);

/*
 * Returns argument i of an event in *to, with its name in the row or else in
 * the trace. Returns false if there are no more arguments.
 */
bool describe_get(const struct description *d, const struct event *ev, int i,
	struct describe_arg *to);

/*
 * Checks a sentence against a signature: every argument exists, and every
 * conversion is one of "diuxXo" for a number, or "s" for a string. Returns
 * false with err, which tells the column and the error.
 */
bool describe_check(const char *says, const char *signature, struct err *err);

#endif
