/* SPDX-License-Identifier: MIT */
/*
 * parse.h - statements of a text trace: declarations into the tables of a
 * trace, event lines into events.
 *
 * The file is read twice: parse_file() checks all of it, fills the tables and
 * keeps time and place of each event; parse_event() reads one of these lines
 * again when its turn has come, so that no event is held in memory.
 */
#ifndef WEFT_TRACE_TEXT_PARSE_H
#define WEFT_TRACE_TEXT_PARSE_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/text/lex.h"

struct trace;

#define PARSE_ARGS 64 /* most arguments of an event */

/* Where an event stands. */
struct parse_place {
	int64_t time;
	uint32_t at; /* first byte of the line */
	uint32_t line;
};

struct parse {
	struct trace *trace; /* borrowed */
	struct lex lex;
	struct arena line; /* what one line needs; owned */
	bool default_node; /* a line needed one and there was none */
	bool default_process;
	struct intern nodes;   /* name -> node, as all nodes are named here */
	struct intern streams; /* name of a thread -> stream */
	struct intern classes; /* name and fields -> class */
	VEC(int64_t) last;     /* time of the last event, a stream */
	VEC(struct parse_place) places; /* in file order */
};

/* Reads all of a text of size bytes; file is for messages and tables. */
bool parse_file(struct parse *p, struct trace *t, const char *file,
	const char *text, size_t size, struct err *err);

/* The event at a place. Payload and values live to the next call. */
void parse_event(
	struct parse *p, const struct parse_place *place, struct event *ev);

void parse_fini(struct parse *p);

#endif
