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
#define CHROME_PIECE 32  /* bytes that are copied at once */
#define CHROME_SHORT 400 /* bytes of an event that is copied in one go */

struct chrome_text {
	const char *at; /* NULL: not made yet */
	size_t n;
	size_t name; /* bytes of `,"name":NAME` alone */
};

/* The text of an event up to its time. */
struct chrome_thread {
	char text[64];
	uint32_t n, type; /* type: where the type of the event is, a letter;
	                   * n 0: not made yet */
};

struct chrome_out {
	struct outfile file;
	struct arena *arena; /* borrowed */
	int64_t per_ns;      /* trace time units per ns */
	bool more;           /* an event was written */
	int64_t ms;          /* milliseconds whose digits are kept */
	char ms_text[24];
	uint8_t ms_digits;
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

/* Keeps the digits of the milliseconds. */
void chrome_set_ms(struct chrome_out *o, int64_t ms);

/* Converts a time to ns, and counts what is lost. */
static inline int64_t
chrome_ns(struct chrome_out *o, int64_t time)
{
	int64_t ns = time;

	if (__builtin_expect(o->per_ns > 1, 0)) {
		ns = time / o->per_ns;
		o->rounded += ns * o->per_ns != time;
	}
	if (__builtin_expect(ns >= CHROME_NS_MAX, 0))
		o->far += ns % 1000 != 0;
	return ns;
}

/* Writes ns as us with three decimals. */
static inline char *
chrome_put_time(struct chrome_out *o, char *at, int64_t time)
{
	int64_t ns = chrome_ns(o, time), ms = ns / 1000000;
	uint32_t rest = (uint32_t)(ns - ms * 1000000), us = rest / 1000, digits;

	if (__builtin_expect(ms == 0, 0)) {
		at = digits_u64(at, us);
	} else {
		if (__builtin_expect(ms != o->ms, 0))
			chrome_set_ms(o, ms);
		memcpy(at, o->ms_text, sizeof o->ms_text);
		at += o->ms_digits;
		digits = digits_four(us) >> 8; /* without the first, a 0 */
		memcpy(at, &digits, sizeof digits);
		at += 3;
	}
	digits = (digits_four(rest - 1000 * us) & ~UINT32_C(0xff)) | '.';
	memcpy(at, &digits, sizeof digits);
	return at + sizeof digits;
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
	for (size_t i = 0; i < name.n; i += CHROME_PIECE)
		memcpy(at + i, name.at + i, CHROME_PIECE);
	at += name.name + ((name.n - name.name) & -(size_t)begins);
	*at = '}';
	o->file.at = at + 1;
}

/* Writes a value of a counter. */
void chrome_counter(struct chrome_out *o, struct chrome_text name,
	const struct chrome_thread *thread, int64_t time, int64_t value);

#endif
