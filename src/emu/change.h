/* SPDX-License-Identifier: MIT */
/*
 * change.h - how handlers of models change channels. Views read changed
 * channels once, after the event (view.h). A change that breaks a rule yields a
 * finding and leaves the channel as it was.
 */
#ifndef WEFT_EMU_CHANGE_H
#define WEFT_EMU_CHANGE_H

#include "emu/state.h"

/* Adds a channel after those of the models, before the system is built. Returns
 * its index. */
int emu_add_chan(struct emu *emu, const struct chan_def *def,
	const struct model *model, int local);

/* Reports why the channel was not changed, unless findings are suppressed. */
void change_failed(struct emu *emu, struct holder *of, int chan,
	enum chan_fault fault, int64_t value) __attribute__((cold));

/* Enables or disables a channel. */
void emu_switch_of(struct emu *emu, struct holder *of, int chan, bool on);

/* Notes that the current event enabled or disabled a channel that it changed
 * before. */
void change_note_switch(struct emu *emu, const struct holder *of, int chan);

/* Marks the channel as changed, for the views. */
static inline void
change_note(struct emu *emu, struct holder *of, int chan, bool switched)
{
	struct chan *ch = &of->chan[chan];

	if (ch->noted) {
		if (switched)
			change_note_switch(emu, of, chan);
		return;
	}
	ch->noted = true;
	VEC_PUSH(&emu->dirty, emu->arena,
		((struct dirty){ of, chan, switched }));
}

/* Marks the channel as changed: the views read it after the event. */
static inline void
emu_touch_of(struct emu *emu, struct holder *of, int chan)
{
	change_note(emu, of, chan, false);
}

/* Marks the channel as changed, or reports the fault. */
static inline void
change_done(struct emu *emu, struct holder *of, int chan, enum chan_fault fault,
	int64_t value)
{
	if (__builtin_expect(fault != CHAN_OK, 0))
		change_failed(emu, of, chan, fault, value);
	else if (!emu->quiet)
		change_note(emu, of, chan, false);
}

/* Change a channel, by its index in the emulator. */
static inline void
emu_set_of(struct emu *emu, struct holder *of, int chan, int64_t value)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	change_done(
		emu, of, chan, chan_set(&of->chan[chan], def, value), value);
}

static inline void
emu_push_of(struct emu *emu, struct holder *of, int chan, int64_t value)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	change_done(emu, of, chan,
		chan_push(&of->chan[chan], def, emu->arena, value), value);
}

static inline void
emu_pop_of(struct emu *emu, struct holder *of, int chan, int64_t value)
{
	change_done(emu, of, chan, chan_pop(&of->chan[chan], value), value);
}

/* Change a channel of the current thread. */
static inline void
emu_set(struct emu *emu, int chan, int64_t value)
{
	emu_set_of(emu, &emu->thread->has, chan, value);
}

static inline void
emu_push(struct emu *emu, int chan, int64_t value)
{
	emu_push_of(emu, &emu->thread->has, chan, value);
}

static inline void
emu_pop(struct emu *emu, int chan, int64_t value)
{
	emu_pop_of(emu, &emu->thread->has, chan, value);
}

#endif
