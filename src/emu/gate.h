/* SPDX-License-Identifier: MIT */
/*
 * gate.h - where each stream begins. Streams whose beginnings lie more than an
 * hour apart come from nodes whose clocks were never brought together.
 */
#ifndef WEFT_EMU_GATE_H
#define WEFT_EMU_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

struct emu;

/* Time and place of a stream's first event. */
struct gate {
	int64_t time, offset;
	bool seen;
};

/* Takes note of an event: gate[] has one entry a stream. */
static inline void
gate_note(struct gate *gate, const struct event *ev)
{
	struct gate *g = &gate[ev->stream];

	if (__builtin_expect(!g->seen, 0))
		*g = (struct gate){ ev->time, ev->offset, true };
}

/* At the end of the trace: a finding for each stream that begins too far from
 * the first one. */
void gate_check(struct emu *emu);

#endif
