/* SPDX-License-Identifier: MIT */
/*
 * put.h - events of a Chrome trace. An event is a line that is put together
 * from texts of its name and of its thread, which are ready.
 */
#ifndef WEFT_EXPORT_CHROME_PUT_H
#define WEFT_EXPORT_CHROME_PUT_H

#include "base/file.h"
#include "export/sink.h"

#define CHROME_EXACT_MAX (INT64_C(1) << 53) /* readers round larger numbers */

struct chrome_text {
	const char *at; /* NULL: not made yet */
	size_t n;
};

struct chrome_out {
	struct outfile file;
	struct arena *arena; /* borrowed */
	int64_t per_ns;      /* trace time units per ns */
	bool more;           /* an event was written */
	uint64_t rounded, mended, inexact;
};

/* Opens the file and writes what comes before the events. */
bool chrome_out_open(struct chrome_out *o, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err);
bool chrome_out_close(struct chrome_out *o, struct err *err);

/* Returns `,"name":NAME,"cat":CAT`. */
struct chrome_text chrome_name(
	struct chrome_out *o, const char *name, const char *cat);

/* Returns `,"pid":P,"tid":T,"ts":`. */
struct chrome_text chrome_thread(struct chrome_out *o, int pid, int tid);

/* Writes a metadata event: "thread_name" with a text, or, with text NULL,
 * "thread_sort_index" with a number. */
void chrome_meta(struct chrome_out *o, const char *what, int pid, int tid,
	const char *text, int64_t number);

/* Writes an event: its type ('B'), name, thread and time, and `rest`, which
 * begins with a comma and closes the object. */
void chrome_event(struct chrome_out *o, char type, struct chrome_text name,
	struct chrome_text thread, int64_t time, struct chrome_text rest);

/* Writes a value of a counter. */
void chrome_counter(struct chrome_out *o, struct chrome_text name,
	struct chrome_text thread, int64_t time, int64_t value);

#endif
