/* SPDX-License-Identifier: MIT */
/*
 * dump.h - the lines of `weft dump`: what is known of a stream and of a class
 * once, and what each format makes of an event.
 *
 *	d->line(d, &ev, kind, place);           (d->line = dump_format(3))
 *
 * All that does not change from event to event is text already: a line is a
 * few copies and numbers, into a buffer with room for them.
 */
#ifndef WEFT_CLI_TRACE_DUMP_H
#define WEFT_CLI_TRACE_DUMP_H

#include "base/out.h"
#include "cli/trace/events.h"
#include "cli/trace/fields.h"
#include "emu/ctf/context.h"
#include "emu/describe.h"

/* Room for a line, before its size is known. */
#define DUMP_LINE_BYTES 1024

/* A stream, as it is printed. */
struct dump_place {
	const char *text; /* of the column; its blanks at the end included */
	size_t length;
	const char *json; /* members of the object; no comma at the end */
	int64_t clock_offset;
	bool no_clock; /* its events have no time */
	int width;     /* contexts of its events say the thread: this wide;
	                * 0: they do not */
	int64_t pid;   /* where they do not say the process; -1: unknown */
};

/* A class, as it is printed. */
struct dump_kind {
	const struct description *is; /* NULL: not seen yet */
	bool reported;
	const char *name; /* with blanks up to the next column; or the members
	                   * of the object, `says` too if it never changes */
	size_t length;
	const char *mark; /* what its events do with a mark; NULL: none */
	bool constant;    /* JSON: nothing but the name is needed */
	bool string;      /* an argument is one: it may hold anything */
	struct context_fields in;         /* where contexts say the thread */
	const struct fields_plan *fields; /* NULL: those of its row are all */
};

struct dump;

/* A format: the line of one event, without its end. The buffer has room for
 * DUMP_LINE_BYTES. */
typedef void dump_line_fn(struct dump *d, const struct event *ev,
	const struct dump_kind *kind, const struct dump_place *place);

struct dump {
	struct run *run;
	const struct trace *trace;
	struct events *events;
	bool payload; /* wanted, too */
	dump_line_fn *line;
	struct out out, kept;
	struct dump_place *places;
	VEC(struct dump_kind) kinds;
	char *says; /* a sentence of JSON, before it is escaped */
	size_t says_room;
	uint64_t undescribed; /* errors that are about events no row fits */
	bool disarm;          /* control characters of the trace may do harm */
};

dump_line_fn dump_weft, dump_ovnidump, dump_json, dump_babeltrace;

/* What events of the class do with a mark: "enters", "leaves", "sets"; NULL:
 * they are no marks of ovni. */
const char *dump_mark_verb(const char *name);

/*
 * The sentence of a mark with the names that the trace gives, as snprintf():
 * enters region "solve". -1: the trace has no names for it.
 */
int64_t dump_mark(const struct dump *d, const struct event *ev,
	const struct dump_kind *kind, char *to, size_t room);

/* What babeltrace prints of a stream's environment. */
void dump_babeltrace_place(struct dump *d, const struct trace_part *part);

/* Contexts and arguments as members of an object. */
void dump_json_fields(struct dump *d, const struct event *ev);

#define DUMP_FORMATS "text,ovnidump,babeltrace,json"

/* The lines of one of these formats, by its position. */
dump_line_fn *dump_format(int i);

/* Prints the events of the trace. d has its line, run and events. */
enum exit_code dump_trace(struct dump *d, const char *path);

/* a - b, at the ends of what a number holds. */
int64_t dump_difference(int64_t a, int64_t b);

/* Replaces control characters, where they may do harm. */
void dump_disarm(const struct dump *d, char *text, size_t n);

#endif
