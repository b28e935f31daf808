/* SPDX-License-Identifier: MIT */
/*
 * change.h - how handlers of models change channels. What was written is looked
 * at after the event, once (view.h); what breaks a rule is a finding, and
 * leaves the channel as it was.
 */
#ifndef WEFT_EMU_CHANGE_H
#define WEFT_EMU_CHANGE_H

#include "emu/state.h"

/* A new channel after those of the models, before the system is built. */
int emu_add_chan(struct emu *emu, const struct chan_def *def,
	const struct model *model, int local);

/* The channel was not changed: says why, if it may be said. */
void change_failed(struct emu *emu, int chan, enum chan_fault fault,
	int64_t value) __attribute__((cold));

/* Enables or disables a channel of the current thread. */
void emu_switch(struct emu *emu, int chan, bool on);

/* Sets a channel of what is not the current thread. */
void emu_set_of(struct emu *emu, struct thread *th, int chan, int64_t value);

/* Notes the channel for the views. */
static inline void
change_note(struct emu *emu, int chan, bool switched)
{
	for (int i = 0; i < emu->dirty.n; i++) {
		struct dirty *d = &emu->dirty.at[i];

		if (d->chan == chan && d->thread == emu->thread) {
			d->switched |= switched;
			return;
		}
	}
	VEC_PUSH(&emu->dirty, emu->arena,
		((struct dirty){ emu->thread, chan, switched }));
}

/* The current thread's channel was changed: it is looked at after the event. */
static inline void
emu_touch(struct emu *emu, int chan)
{
	change_note(emu, chan, false);
}

/* The channel was written, or it says what was wrong. */
static inline void
change_done(struct emu *emu, int chan, enum chan_fault fault, int64_t value)
{
	if (__builtin_expect(fault != CHAN_OK, 0))
		change_failed(emu, chan, fault, value);
	else if (!emu->quiet)
		change_note(emu, chan, false);
}

/* Changes a channel of the current thread, by its index in the emulator. */
static inline void
emu_set(struct emu *emu, int chan, int64_t value)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	change_done(emu, chan, chan_set(&emu->thread->chan[chan], def, value),
		value);
}

static inline void
emu_push(struct emu *emu, int chan, int64_t value)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	change_done(emu, chan,
		chan_push(&emu->thread->chan[chan], def, emu->arena, value),
		value);
}

static inline void
emu_pop(struct emu *emu, int chan, int64_t value)
{
	change_done(
		emu, chan, chan_pop(&emu->thread->chan[chan], value), value);
}

#endif
