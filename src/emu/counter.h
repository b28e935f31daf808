/* SPDX-License-Identifier: MIT */
/*
 * counter.h - hardware counters that events carry besides their arguments.
 *
 * The metadata tells which counters a trace has: the members of a struct that
 * CTF traces call "hwc". Each becomes a channel of the CPUs, with the title and
 * number that the model defines, and every event that carries it shows its
 * value.
 */
#ifndef WEFT_EMU_COUNTER_H
#define WEFT_EMU_COUNTER_H

#include "base/vec.h"
#include "emu/bind.h"

struct trace;

struct counter_names {
	VEC(const char *) at;
};

/* Adds the names of the trace's counters, each once. */
void counter_names(struct counter_names *to, struct arena *a,
	const struct trace *t, const struct model *m);

/* Adds the channels of the trace's counters, unless an earlier model has added
 * them. */
void counter_add_chans(struct emu *emu, const struct model *m);

/* Returns a binding that shows the counters of the event class before its other
 * actions. */
const struct binding *counter_bind(struct emu *emu,
	const struct event_class *class, const struct binding *b);

#endif
