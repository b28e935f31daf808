/* SPDX-License-Identifier: MIT */
/*
 * dump.h - the lines of `weft dump`: texts that are made once for each stream
 * and each class of events, and a function for each format.
 *
 *	d->line(d, &ev, kind, place);           (d->line = dump_format(3))
 *
 * Everything that is the same for all events of a class or a stream is already
 * text. A line is a few copies and numbers in a buffer with room for them.
 */
#ifndef WEFT_CLI_TRACE_DUMP_H
#define WEFT_CLI_TRACE_DUMP_H

#include "base/out.h"
#include "cli/trace/events.h"
#include "cli/trace/fields.h"
#include "emu/ctf/context.h"
#include "emu/describe.h"

/* Bytes that are reserved before the length of a line is known. */
#define DUMP_LINE_BYTES 1024

/* The texts of one stream. */
struct dump_position {
	const char *text; /* text of the column, with the blanks at its end */
	size_t length;
	const char *json; /* members of the object; no comma at the end */
	const struct trace_node *node; /* whose clocks its events have, or
	                                * NULL */
	bool no_clock;                 /* its events carry no time */
	int width;   /* width of the column for threads that contexts name; 0:
	              * contexts name no thread */
	int64_t pid; /* process of events whose context names no process; -1:
	              * unknown */
};

/* The texts of one class of events. */
struct dump_kind {
	const struct description *is; /* NULL: not seen yet */
	bool reported;
	const char *name; /* name with blanks up to the next column; in JSON:
	                   * members of the object, with `says` if its text is
	                   * the same for all events */
	size_t length;
	const char *mark; /* the verb of a mark event; NULL: the class is no
	                   * mark */
	bool constant;    /* JSON: only the name of the event is needed */
	bool string;      /* has a string argument, which may hold any
	                   * character */
	struct context_fields in;         /* the context fields that name the
	                                   * thread */
	const struct fields_plan *fields; /* fields to print; NULL: the model
	                                   * row's sentence has all of them */
};

struct dump;

/* Writes the line of one event without its newline. The buffer has room for
 * DUMP_LINE_BYTES. */
typedef void dump_line_fn(struct dump *d, const struct event *ev,
	const struct dump_kind *kind, const struct dump_position *place);

struct dump {
	struct pipeline *run;
	const struct trace *trace;
	struct events *events;
	bool payload; /* also print the payload */
	bool utc;     /* print the time of day */
	dump_line_fn *line;
	struct out out, kept;
	struct dump_position *places;
	VEC(struct dump_kind) kinds;
	char *says; /* the sentence for JSON, before it is escaped */
	size_t says_room;
	uint64_t undescribed; /* errors about events that fit no model row */
	bool disarm;          /* replace control characters: standard output
	                       * is a terminal */
};

dump_line_fn dump_weft, dump_ovnidump, dump_json, dump_babeltrace;

/* Returns the verb of a mark event: "enters", "leaves" or "sets". NULL if the
 * class is no mark of ovni. */
const char *dump_mark_verb(const char *name);

/*
 * Writes the sentence of a mark with the names that the trace gives to its type
 * and value: enters region "solve". Returns a length as snprintf() does, or -1
 * if the trace has no names for the mark.
 */
int64_t dump_mark(const struct dump *d, const struct event *ev,
	const struct dump_kind *kind, char *to, size_t room);

/* Appends the members that babeltrace prints from a stream's environment. */
void dump_babeltrace_place(struct dump *d, const struct trace_part *part);

/* Appends contexts and arguments as members of a JSON object. */
void dump_json_fields(struct dump *d, const struct event *ev);

/* Appends the arguments that models know as members of a JSON object. */
void dump_json_args(
	struct out *o, const struct event *ev, const struct description *is);

#define DUMP_FORMATS "text,ovnidump,babeltrace,json"

/* Returns the line function of the i-th format in DUMP_FORMATS. */
dump_line_fn *dump_format(int i);

/* Prints the events of the trace. The caller has set line, run and events. */
enum exit_code dump_trace(struct dump *d, const char *path);

/* Replaces control characters if d->disarm is set. */
void dump_disarm(const struct dump *d, char *text, size_t n);

#endif
