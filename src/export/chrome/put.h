/* SPDX-License-Identifier: MIT */
/*
 * put.h - events of a Chrome trace. An event is a line that is put together
 * from texts of its thread and of its name, which are ready. Most of the work
 * is the copy of the file's bytes, so begins and ends of slices have no key
 * that readers can do without.
 */
#ifndef WEFT_EXPORT_CHROME_PUT_H
#define WEFT_EXPORT_CHROME_PUT_H

#include <string.h>

#include "base/digits.h"
#include "base/file.h"
#include "base/out.h"
#include "export/sink.h"

#define CHROME_EXACT_MAX (INT64_C(1) << 53) /* readers round larger numbers */

/* Readers keep times as doubles in us: later ones lose their ns. */
#define CHROME_NS_MAX ((INT64_C(1) << 43) * 1000)
#define CHROME_MS 1000000 /* ns */
#define CHROME_PIECE 64   /* bytes that are copied at once */
#define CHROME_SHORT 400  /* bytes of an event that is copied in one go */

struct chrome_text {
	const char *at; /* NULL: not made yet */
	size_t n;
	size_t name; /* bytes of `,"name":NAME` alone */
};

/* The text of an event up to its time. */
struct chrome_thread {
	char text[CHROME_PIECE];
	uint32_t n, type; /* type: where the type of the event is, a letter;
	                   * n 0: not made yet */
};

struct chrome_out {
	struct outfile file;
	struct arena *arena; /* borrowed */
	int64_t per_ns;      /* trace time units per ns */
	bool more;           /* an event was written */
	int64_t ms_begin;    /* of the millisecond whose digits are kept */
	char ms_text[16];
	uint32_t ms_digits;
	uint32_t three[1000]; /* the digits of a number, as bytes of a word */
	struct out made, joined; /* texts for one event */
	uint64_t rounded, mended, inexact, far;
};

/* Opens the file and writes what comes before the events. */
bool chrome_out_open(struct chrome_out *o, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err);
bool chrome_out_close(struct chrome_out *o, struct err *err);

/* Returns `,"name":NAME,"cat":CAT`. */
struct chrome_text chrome_name(
	struct chrome_out *o, const char *name, const char *cat);

/* Does the same for one event: the text is valid until the next call of one of
 * these functions, so that events with names of their own need no memory. */
struct chrome_text chrome_name_once(
	struct chrome_out *o, const char *name, const char *cat);

/* Returns "NAME: WHAT", valid until the next call. */
const char *chrome_join(
	struct chrome_out *o, const char *name, const char *what);

/* Returns the text of events of a thread, after an event before. */
struct chrome_thread chrome_thread(int pid, int tid);

/* Writes a metadata event: "thread_name" with a text, or, with text NULL,
 * "thread_sort_index" with a number. */
void chrome_meta(struct chrome_out *o, const char *what, int pid, int tid,
	const char *text, int64_t number);

/* Does the same as chrome_put_time(), for any time. */
char *chrome_put_any_time(struct chrome_out *o, char *at, int64_t time);

/* Writes a time as us with three decimals. Usually it is in the millisecond of
 * the time before, whose digits are kept. */
static inline char *
chrome_put_time(struct chrome_out *o, char *at, int64_t time)
{
	uint64_t rest = (uint64_t)time - (uint64_t)o->ms_begin;
	uint32_t us = (uint32_t)rest / 1000, digits;

	if (__builtin_expect(rest >= CHROME_MS, 0))
		return chrome_put_any_time(o, at, time);
	memcpy(at, o->ms_text, sizeof o->ms_text);
	at += o->ms_digits;
	memcpy(at, &o->three[us], sizeof digits);
	digits = o->three[(uint32_t)rest - 1000 * us] << 8 | '.';
	memcpy(at + 3, &digits, sizeof digits);
	return at + 7;
}

/* Writes an event: its type ('B'), name, thread and time, and `rest`, which
 * begins with a comma and closes the object. */
void chrome_event(struct chrome_out *o, char type, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time,
	struct chrome_text rest);

/* Writes the begin or the end of a slice, whose name is from chrome_name(): the
 * hot loop. Which of the two it is is random, so there is no branch on it. An
 * end needs no category: it ends what is on top. */
static inline void
chrome_slice(struct chrome_out *o, bool begins, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time)
{
	char *at;

	if (__builtin_expect(name.n > CHROME_SHORT, 0)) {
		if (!begins)
			name.n = name.name;
		chrome_event(o, begins ? 'B' : 'E', name, thread, time,
			(struct chrome_text){ "}", 1, 0 });
		return;
	}
	at = outfile_room(&o->file, 2 * CHROME_SHORT);
	memcpy(at, thread->text, sizeof thread->text);
	at[thread->type] = (char)('E' - ('E' - 'B') * begins);
	at = chrome_put_time(o, at + thread->n, time);
	memcpy(at, name.at, CHROME_PIECE);
	for (size_t i = CHROME_PIECE; __builtin_expect(i < name.n, 0);
		i += CHROME_PIECE)
		memcpy(at + i, name.at + i, CHROME_PIECE);
	at += name.name + ((name.n - name.name) & -(size_t)begins);
	*at = '}';
	o->file.at = at + 1;
}

/* Writes a value of a counter. */
void chrome_counter(struct chrome_out *o, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time, int64_t value);

#endif
