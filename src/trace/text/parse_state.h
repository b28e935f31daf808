/* SPDX-License-Identifier: MIT */
/* parse_state.h - the state of reading a text trace. */
#ifndef WEFT_TRACE_TEXT_PARSE_STATE_H
#define WEFT_TRACE_TEXT_PARSE_STATE_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/text/lex.h"

struct trace;

#define PARSE_ARGS 64 /* most arguments of an event */

/* The position of an event. */
struct parse_position {
	int64_t time;
	uint32_t at; /* first byte of the line */
	uint32_t line;
};

struct parse {
	struct trace *trace; /* borrowed */
	struct lex lex;
	struct arena line; /* memory for one line; owned */
	bool default_node; /* a line needed a node and none was declared */
	bool default_process;
	struct intern nodes;   /* name -> node, for all nodes */
	struct intern streams; /* name of a thread -> stream */
	struct intern classes; /* name and fields -> class */
	VEC(int64_t) last;     /* by stream: time of its last event */
	VEC(struct parse_position) places; /* in file order */
};

#endif
