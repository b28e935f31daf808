/* SPDX-License-Identifier: MIT */
/*
 * first_event.h - the first event of each stream. Streams that begin more than
 * an hour apart come from nodes whose clocks were not aligned.
 */
#ifndef WEFT_EMU_FIRST_EVENT_H
#define WEFT_EMU_FIRST_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

struct emu;

/* Time and byte offset of a stream's first event. */
struct first_event {
	int64_t time, offset;
	bool seen;
};

/* Records the first event of its stream; gate[] has one entry per stream. */
static inline void
first_event_note(struct first_event *gate, const struct event *ev)
{
	struct first_event *g = &gate[ev->stream];

	if (__builtin_expect(!g->seen, 0))
		*g = (struct first_event){ ev->time, ev->offset, true };
}

/* At the end of the trace: adds a finding for each stream that begins too far
 * from the first one. */
void first_event_check(struct emu *emu);

#endif
