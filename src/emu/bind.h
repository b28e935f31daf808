/* SPDX-License-Identifier: MIT */
/*
 * bind.h - binds an event class to its actions, once, by name.
 *
 * At the first event of a class, its name is searched in the rows of all
 * enabled models. The row becomes a binding: an action on a channel, or a
 * function, and where each argument is stored, either in raw bytes (ovni) or
 * among the values that the reader decoded (CTF, text). From then on an event
 * costs one look-up by index.
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
	ACTION_AWAY, /* follows a change of a channel with `away` */
	ACTION_ROW,  /* a general model row: apply_row() in apply.c */
	ACTION_CALL,
};

struct arg {
	const char *name;
	uint16_t at;   /* byte offset in the payload, or index of the value */
	uint8_t type;  /* enum field_type */
	uint8_t wants; /* enum field_type of the model's signature */
};

struct binding {
	uint8_t action;      /* enum action */
	uint8_t need;        /* enum need */
	bool exact;          /* the payload must not exceed `size` bytes */
	bool idle;           /* the event changes nothing if its sender is
	                      * known */
	uint16_t chan;       /* index among the emulator's channels */
	uint16_t first_chan; /* index of the model's first channel */
	uint16_t slot;       /* index of the model among the enabled ones */
	uint32_t size;       /* least bytes of payload */
	int64_t value;       /* for ACTION_CALL: index of the event in its
	                      * model */
	event_fn *call;
	const struct model_row *row; /* for ACTION_ROW */
	const struct binding *next;  /* another action of the same event; or
	                              * NULL */
	const struct model *model;
	const char *says; /* the event in words, for messages; NULL if
	                   * unknown */
	const char
		*trouble; /* why events of this class cannot be used; or NULL */
	int nargs;
	struct arg arg[SIGNATURE_MAX_ARGS];
};

/*
 * Returns the binding of a class: the rows of one of the models m[0..n-1],
 * whose channels begin at first[i] among those of the emulator. Never NULL.
 * points: binds punctual values, too.
 */
struct binding *bind_class(struct arena *a, const struct event_class *class,
	const struct model *const *m, const int *first, int n, bool points);

/*
 * Returns argument i of an event, extended from its type. The size of the
 * payload was checked only for the arguments that the row requires; check the
 * others with bind_has().
 */
int64_t bind_i64(const struct binding *b, const struct event *ev, int i);
bool bind_has(const struct binding *b, const struct event *ev, int i);

/* Returns a string argument, or NULL if no NUL ends it inside the payload. */
const char *bind_str(const struct binding *b, const struct event *ev, int i);

#endif
