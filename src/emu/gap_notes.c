/* SPDX-License-Identifier: MIT */
#include "emu/gap_notes.h"

#include "base/arena.h"
#include "emu/gap.h"
#include "emu/task.h"
#include "export/sink.h"

/* A state that was left behind a gap although nobody had seen it entered; or a
 * task that went on. The innermost first. */
struct note {
	int chan; /* or TASK - the place of the model */
	int64_t value;
};

#define TASK (-1)

/* What is known of a thread behind one of its gaps. */
struct behind {
	VEC(struct note) notes;
	bool whole;    /* it ended in an orderly way: nothing was open below */
	uint8_t state; /* of the thread, as its next event shows */
};

struct gap_notes {
	struct arena *arena; /* borrowed */
	struct map of;       /* row of the thread, number of the gap */
};

struct gap_notes *
gap_notes_new(struct arena *a)
{
	struct gap_notes *n = ARENA_NEW(a, struct gap_notes);

	n->arena = a;
	return n;
}

void
gap_notes_fini(struct gap_notes *n)
{
	map_fini(&n->of);
}

static uint64_t
behind_key(const struct thread *th)
{
	return (uint64_t)th->row << 32 | th->ngaps;
}

/* For notes. */
static struct behind *
behind_new(struct emu *emu, const struct thread *th)
{
	uint64_t *at = map_put(&emu->learn->of, behind_key(th));

	if (*at == 0)
		*at = (uint64_t)(uintptr_t)ARENA_NEW(
			emu->learn->arena, struct behind);
	return (struct behind *)(uintptr_t)*at;
}

/* What an earlier run noted, or NULL. */
static const struct behind *
behind_of(const struct emu *emu, const struct thread *th)
{
	const uint64_t *at = emu->known == NULL
		? NULL
		: map_get(&emu->known->of, behind_key(th));

	return at == NULL ? NULL : (const struct behind *)(uintptr_t)*at;
}

static void
note(struct emu *emu, struct note n)
{
	struct behind *b;

	if (emu->learn == NULL || emu->thread->ngaps == 0 || emu->thread->lost)
		return;
	b = behind_new(emu, emu->thread);
	VEC_PUSH(&b->notes, emu->learn->arena, n);
}

void
gap_note_left(struct emu *emu, int chan, int64_t value)
{
	note(emu, (struct note){ chan, value });
}

void
gap_note_task(struct emu *emu, uint32_t id)
{
	note(emu, (struct note){ TASK - (int)emu->binding->slot, id });
}

void
gap_note_end(struct emu *emu, const struct thread *th)
{
	if (emu->learn != NULL && th->ngaps > 0)
		behind_new(emu, th)->whole = true;
}

/* The states that were open, by what was left later. */
static void
restore_chan(
	struct emu *emu, struct thread *th, int chan, const struct behind *b)
{
	const struct chan_def *def = emu->chans.at[chan].def;
	struct chan *ch = &th->chan[chan];

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
restore_tasks(struct emu *emu, int slot, const struct behind *b)
{
	struct binding as = { .model = emu->enabled.model.at[slot],
		.slot = (uint16_t)slot,
		.first_chan = (uint16_t)emu->enabled.first.at[slot] };
	const struct binding *before = emu->binding;

	if (as.model->tasks == NULL)
		return;
	emu->binding = &as;
	if (b->whole)
		emu->thread->tasks_lost = false;
	for (int i = b->notes.n; i > 0; i--)
		if (b->notes.at[i - 1].chan == TASK - slot)
			task_enter(emu, (uint32_t)b->notes.at[i - 1].value);
	task_show(emu);
	emu->binding = before;
}

void
gap_notes_restore(struct emu *emu, struct thread *th)
{
	const struct behind *b = behind_of(emu, th);

	if (b == NULL)
		return;
	for (int i = 0; i < emu->chans.n; i++)
		restore_chan(emu, th, i, b);
	for (int i = 0; i < emu->enabled.model.n && !emu->trace->by_cpu; i++)
		restore_tasks(emu, i, b);
}

static void
ignore(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

bool
gap_learn(struct gap_notes *notes, struct source *source,
	const struct emu_options *options)
{
	static const struct sink_ops nowhere_ops = { .state = ignore };
	struct sink nowhere = { .ops = &nowhere_ops };
	struct emu_options learn = *options;
	struct arena scratch = { 0 };
	struct err err = { 0 };
	struct emu *emu;

	learn.learn = notes;
	learn.known = NULL;
	learn.breakdown = false;
	emu = emu_open(&scratch, source, &nowhere, &learn, &err);
	if (emu != NULL) {
		emu_run(emu, NULL);
		emu_close(emu);
	}
	arena_fini(&scratch);
	return emu != NULL;
}

void
gap_note_state(struct emu *emu, const struct thread *th)
{
	if (emu->learn != NULL)
		behind_new(emu, th)->state = th->state;
}

enum thread_state
gap_notes_state(const struct emu *emu, const struct thread *th)
{
	const struct behind *b = behind_of(emu, th);

	return b == NULL ? THREAD_UNKNOWN : (enum thread_state)b->state;
}
