/* SPDX-License-Identifier: MIT */
#include "emu/change.h"

#include "base/arena.h"
#include "emu/gap_notes.h"
#include "emu/say.h"
#include "emu/state.h"

int
emu_add_chan(struct emu *emu, const struct chan_def *def,
	const struct model *model, int local)
{
	struct chan_def *strict;

	if (emu->strict && def->repeat != 0) {
		strict = ARENA_NEW(emu->arena, struct chan_def);
		*strict = *def;
		strict->repeat = 0;
		def = strict;
	}
	*VEC_ADD(&emu->chans, emu->arena) =
		(struct emu_chan){ .def = def, .model = model, .local = local };
	return emu->chans.n - 1;
}

void
change_failed(struct emu *emu, struct holder *of, int chan,
	enum chan_fault fault, int64_t value)
{
	if (fault != CHAN_FLOOR)
		emu_chan_finding(emu, of, chan, fault, value);
	else if (of->thread != NULL)
		gap_note_left(emu, of->thread, chan, value);
}

void
change_note_switch(struct emu *emu, const struct holder *of, int chan)
{
	for (int i = 0; i < emu->dirty.n; i++) {
		struct dirty *d = &emu->dirty.at[i];

		if (d->chan == chan && d->of == of)
			d->switched = true;
	}
}

void
emu_switch_of(struct emu *emu, struct holder *of, int chan, bool on)
{
	struct chan *ch = &of->chan[chan];

	if (on ? chan_enable(ch) : chan_disable(ch))
		change_note(emu, of, chan, true);
}
