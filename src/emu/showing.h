/* SPDX-License-Identifier: MIT */
/*
 * showing.h - what view.c and past.c share, on the hot path: whether a thread's
 * channel is shown now, by whom, and the writing of a record.
 */
#ifndef WEFT_EMU_SHOWING_H
#define WEFT_EMU_SHOWING_H

#include <assert.h>

#include "emu/state.h"
#include "export/sink.h"

/* What the channel holds, as a record whose other members are set elsewhere.
 * Word by word: what is stored so can be loaded so at once. */
static inline void
hold(struct record *r, const struct chan *ch)
{
	r->value = ch->value;
	r->depth = ch->depth;
	r->stack = ch->stack;
}

/* Writes a value that a row shows now, unless its emission says no. */
static inline void
show(struct emu *emu, struct shown *shown, enum emission emission,
	struct record *r)
{
	if (shown->value == r->value && shown->begun != 0 &&
		(emission == SKIPDUP ||
			(emission == SKIPDUPNULL && r->value == VALUE_NONE)))
		return;
	shown->begun = (uint64_t)emu->now + 1;
	shown->value = r->value;
	r->time = emu->written = emu->now;
	sink_state(emu->sink, r);
}

/* True if the state of the thread enables a channel with this tracking. */
static inline bool
is_tracked(const struct thread *th, enum track track)
{
	return (track & ~(unsigned)th->active) == 0;
}

/* True if the thread's channel is shown: neither its state nor an event
 * disables it. */
static inline bool
is_shown(const struct thread *th, int chan, const struct chan_def *def)
{
	return !th->has.chan[chan].disabled && is_tracked(th, def->thread);
}

/* What a row shows of a channel that is lost. */
static inline int64_t
gap_value(const struct chan_def *def)
{
	return def->shows == TYPE_NUMBER || def->shows == TYPE_POINT
		? VALUE_NONE
		: VALUE_LOST;
}

/* The threads that the CPU's row of a channel looks at. */
static inline struct crew *
crew_of(struct cpu *cpu, const struct chan_def *def)
{
	return def->cpu_active ? &cpu->active : &cpu->running;
}

#endif
