/* SPDX-License-Identifier: MIT */
/*
 * shown.h - what the server shows of a trace now: one generation of its index,
 * which may be replaced while requests still read the previous generation.
 *
 *	struct generation *g = shown_take(shown, &status);
 *	...                              (g->index stays open)
 *	shown_drop(shown, g);
 */
#ifndef WEFT_SERVE_SHOWN_H
#define WEFT_SERVE_SHOWN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "serve/trace.h"

#define SHOWN_GEN 8   /* hexadecimal digits of a generation */
#define SHOWN_WHY 200 /* bytes of a sentence */

#define SHOWN_CUT "the index was cut while it was open"

struct generation {
	const struct index *index;
	struct index *owned; /* closed with the generation; or NULL */
	struct arena arena;  /* memory of the owned index */
	int users; /* number of users: requests, and the trace that shows the
	            * generation */
	char text[SHOWN_GEN + 1];
};

struct shown_status {
	enum serve_state state;
	int done;            /* thousandths of the index that is being built */
	uint64_t records;    /* records in the part that is built */
	bool changed;        /* an input is newer than the index */
	int refusals;        /* how often the trace could not be read again */
	char why[SHOWN_WHY]; /* why that was so, or why the trace is gone; else
	                      * "" */
	int indexes;         /* number of indexes that were shown so far */
	/* Of the generation; "00000000" and 0 if there is none. */
	char gen[SHOWN_GEN + 1];
	int64_t end;
	uint64_t indexed; /* records */
};

struct shown {
	const struct serve_trace *trace; /* borrowed */
	pthread_mutex_t lock;            /* protects the fields below */
	struct generation *now;          /* NULL: there is no index yet */
	struct shown_status status;
	bool reload; /* a page asked to read the trace again */
};

/* "ready", "building"... */
const char *shown_word(enum serve_state state);

/* Shows the index of the trace, if it has one. */
void shown_init(struct shown *s, const struct serve_trace *trace);
void shown_fini(struct shown *s);

/* Shows another index, which the server closes when it is not read any more;
 * *a is the arena of the index, and is taken over. */
void shown_replace(struct shown *s, struct index *index, struct arena *a,
	enum serve_state state);

void shown_progress(struct shown *s, int done, uint64_t records);
void shown_gone(struct shown *s, const char *why);
/* An input is newer than the index of that generation. */
void shown_changed(struct shown *s, const struct generation *g);
void shown_refused(struct shown *s, const char *why);

/* Note that a page wants the trace to be read again; take the note. */
void shown_want_reload(struct shown *s);
bool shown_take_reload(struct shown *s);

/* Returns the generation that is shown now, for one request, or NULL. */
struct generation *shown_take(struct shown *s, struct shown_status *status);

/* Ends the use of a generation; NULL is allowed. */
void shown_drop(struct shown *s, struct generation *g);

#endif
