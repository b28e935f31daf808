/* SPDX-License-Identifier: MIT */
/*
 * counter.h - numbers that events carry beside their arguments.
 *
 * Which counters a trace has is in its metadata: the members of a struct, in
 * CTF "hwc". Each becomes a channel of the CPUs, with title and number as the
 * model knows it, and every event that carries it shows its value.
 */
#ifndef WEFT_EMU_COUNTER_H
#define WEFT_EMU_COUNTER_H

#include "base/vec.h"
#include "emu/bind.h"

struct trace;

struct counter_names {
	VEC(const char *) at;
};

/* Adds the names of the counters that the trace has, each once. */
void counter_names(struct counter_names *to, struct arena *a,
	const struct trace *t, const struct model *m);

/* Adds the channels of the counters that the trace has, if no model before has
 * added them. */
void counter_add_chans(struct emu *emu, const struct model *m);

/* What events of the class do, and before that show their counters. */
const struct binding *counter_bind(struct emu *emu,
	const struct event_class *class, const struct binding *b);

#endif
