/* SPDX-License-Identifier: MIT */
/*
 * showing.h - shared by view.c and past.c, on the hot path: whether a thread's
 * channel is shown, by which CPU, and writing of records.
 */
#ifndef WEFT_EMU_SHOWING_H
#define WEFT_EMU_SHOWING_H

#include <assert.h>

#include "emu/state.h"
#include "export/sink.h"

/* Copies what the channel holds into a record. Copies word by word, so that the
 * values can be loaded again without waiting for a larger store. A stack whose
 * known entries have all been popped after a loss shows VALUE_LOST, which is no
 * entry of it. */
static inline void
hold(struct record *r, const struct chan *ch)
{
	r->value = ch->value;
	r->depth = ch->depth;
	r->stack = ch->value != VALUE_LOST ? ch->stack : NULL;
}

/* Writes a value that a row shows now, if its emission allows. */
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

/* Returns true if the thread's state lets a channel with this tracking be
 * shown. */
static inline bool
is_tracked(const struct thread *th, enum track track)
{
	return (track & ~(unsigned)th->active) == 0;
}

/* Returns true if the thread's channel is shown: neither its state nor an event
 * disables it. */
static inline bool
is_shown(const struct thread *th, int chan, const struct chan_def *def)
{
	return !th->has.chan[chan].disabled && is_tracked(th, def->thread);
}

/* Returns the value that a row shows for a lost channel. */
static inline int64_t
gap_value(const struct chan_def *def)
{
	return def->shows == TYPE_NUMBER || def->shows == TYPE_POINT
		? VALUE_NONE
		: VALUE_LOST;
}

/* Returns the crew whose only thread is shown by the CPU's row of a channel. */
static inline struct crew *
crew_of(struct cpu *cpu, const struct chan_def *def)
{
	return def->cpu_active ? &cpu->active : &cpu->running;
}

#endif
