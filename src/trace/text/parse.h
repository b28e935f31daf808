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

#include "trace/text/parse_state.h"

/* Reads all of a text of size bytes; file is for messages and tables. */
bool parse_file(struct parse *p, struct trace *t, const char *file,
	const char *text, size_t size, struct err *err);

/* The event at a place. Payload and values live to the next call. */
void parse_event(
	struct parse *p, const struct parse_place *place, struct event *ev);

void parse_fini(struct parse *p);

#endif
