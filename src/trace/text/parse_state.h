/* SPDX-License-Identifier: MIT */
/*
 * parse_state.h - what is known of a text trace while it is read.
 */
#ifndef WEFT_TRACE_TEXT_PARSE_STATE_H
#define WEFT_TRACE_TEXT_PARSE_STATE_H

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

#endif
