/* SPDX-License-Identifier: MIT */
/*
 * parse.h - statements of a text trace: declarations fill the tables of a
 * trace, event lines become events.
 *
 * The file is read twice: parse_file() checks all of it, fills the tables and
 * keeps time and position of each event; parse_event() reads an event's line
 * again when it is needed, so that no event is held in memory.
 */
#ifndef WEFT_TRACE_TEXT_PARSE_H
#define WEFT_TRACE_TEXT_PARSE_H

#include "trace/text/parse_state.h"

/* Reads a whole text of size bytes. file: path, for messages and tables.
 * Returns false with err. */
bool parse_file(struct parse *p, struct trace *t, const char *file,
	const char *text, size_t size, struct err *err);

/* Reads the event at a position. Payload and values are valid until the next
 * call. */
void parse_event(
	struct parse *p, const struct parse_position *place, struct event *ev);

void parse_fini(struct parse *p);

#endif
