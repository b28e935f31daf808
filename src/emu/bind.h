/* SPDX-License-Identifier: MIT */
/*
 * bind.h - from an event class to what it does: looked up once, by name.
 *
 * When the first event of a class comes, its name is searched in the rows of
 * all enabled models. The row becomes a binding: an action on a channel, or a
 * function, and where each argument lies, be it in raw bytes (ovni) or among
 * the values that the reader found (CTF, text). From then on an event costs
 * one look-up by index.
 */
#ifndef WEFT_EMU_BIND_H
#define WEFT_EMU_BIND_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/model.h"
#include "emu/signature.h"
#include "trace/event.h"

struct arena;

enum action {
	ACTION_UNKNOWN, /* no enabled model has this event */
	ACTION_IGNORE,
	ACTION_PUSH,
	ACTION_POP,
	ACTION_SET,
	ACTION_POINT,
	ACTION_ROW, /* run_row() in row.c */
	ACTION_CALL,
};

struct arg {
	const char *name;
	uint16_t at;  /* byte offset in the payload, or index of the value */
	uint8_t type; /* enum field_type */
};

struct binding {
	uint8_t action;      /* enum action */
	uint8_t need;        /* enum need */
	bool exact;          /* no more than `size` bytes */
	bool idle;           /* nothing is to be done for a known sender */
	uint16_t chan;       /* index among the emulator's channels */
	uint16_t first_chan; /* of the model */
	uint16_t slot;       /* of the model among the enabled ones */
	uint32_t size;       /* bytes of payload it must have */
	int64_t value;       /* of ACTION_CALL: which event of the model */
	event_fn *call;
	const struct row_def *row;  /* of ACTION_ROW */
	const struct binding *next; /* what it does, too; or NULL */
	const struct model *model;
	const char *says; /* in words, for messages; NULL if unknown */
	const char
		*trouble; /* why no event of this class can be used; or NULL */
	int nargs;
	struct arg arg[SIGNATURE_MAX_ARGS];
};

/*
 * The binding of a class: the rows of one of the models m[0..n-1], whose
 * channels begin at first[i] among those of the emulator. Never NULL. points:
 * events show their punctual values.
 */
struct binding *bind_class(struct arena *a, const struct event_class *class,
	const struct model *const *m, const int *first, int n, bool points);

/*
 * Argument i of an event, sign-extended from its type. The size of the
 * payload was checked for the arguments that the row demands; ask bind_has()
 * for the others.
 */
int64_t bind_i64(const struct binding *b, const struct event *ev, int i);
bool bind_has(const struct binding *b, const struct event *ev, int i);

/* A string argument, or NULL if it has no NUL inside the payload. */
const char *bind_str(const struct binding *b, const struct event *ev, int i);

#endif
