/* SPDX-License-Identifier: MIT */
#include "emu/regain.h"

#include "emu/away.h"
#include "emu/gap_notes.h"
#include "emu/state.h"
#include "emu/task.h"

/* Pushes again the states that were open in the gap, as later events show. */
static void
restore_chan(
	struct emu *emu, struct thread *th, int chan, const struct behind *b)
{
	const struct chan_def *def = emu->chans.at[chan].def;
	struct chan *ch = &th->has.chan[chan];

	if (def->kind != CHAN_STACK)
		return;
	if (b->whole) {
		ch->lost = CHAN_KNOWN;
		ch->value = chan_floor(ch);
	}
	for (int i = b->notes.n; i > 0; i--)
		if (b->notes.at[i - 1].chan == chan)
			chan_enter(ch, emu->arena, b->notes.at[i - 1].value);
}

static void
restore_tasks(
	struct emu *emu, struct thread *th, int slot, const struct behind *b)
{
	struct binding as = { .model = emu->enabled.model.at[slot],
		.slot = (uint16_t)slot,
		.first_chan = (uint16_t)emu->enabled.first.at[slot] };
	const struct binding *before = emu->binding;

	if (as.model->tasks == NULL)
		return;
	emu->binding = &as;
	if (b->whole)
		th->tasks_lost = false;
	for (int i = b->notes.n; i > 0; i--)
		if (b->notes.at[i - 1].chan == NOTE_TASK - slot)
			task_enter(emu, th, (uint64_t)b->notes.at[i - 1].value);
	task_show(emu, th);
	emu->binding = before;
}

void
regain(struct emu *emu, struct thread *th)
{
	const struct behind *b = gap_notes_of(emu, th);

	if (b == NULL)
		return;
	for (int i = 0; i < emu->chans.n; i++)
		restore_chan(emu, th, i, b);
	away_look(emu, &th->has);
	for (int i = 0; i < emu->enabled.model.n && !emu->trace->by_cpu; i++)
		restore_tasks(emu, th, i, b);
}
