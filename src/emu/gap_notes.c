/* SPDX-License-Identifier: MIT */
#include "emu/gap_notes.h"

#include "base/arena.h"
#include "base/map.h"
#include "emu/state.h"

struct gap_notes {
	struct arena *arena; /* borrowed */
	struct map of;       /* (row of the thread, number of its gap) ->
	                      * struct behind */
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
	return (uint64_t)th->has.row << 32 | th->ngaps;
}

/* Returns the notes about the thread's current gap; creates them. */
static struct behind *
behind_new(struct emu *emu, const struct thread *th)
{
	uint64_t *at = map_put(&emu->learn->of, behind_key(th));

	if (*at == 0)
		*at = (uint64_t)(uintptr_t)ARENA_NEW(
			emu->learn->arena, struct behind);
	return (struct behind *)(uintptr_t)*at;
}

const struct behind *
gap_notes_of(const struct emu *emu, const struct thread *th)
{
	const uint64_t *at = emu->known == NULL
		? NULL
		: map_get(&emu->known->of, behind_key(th));

	return at == NULL ? NULL : (const struct behind *)(uintptr_t)*at;
}

static void
note(struct emu *emu, const struct thread *th, struct gap_note n)
{
	struct behind *b;

	if (emu->learn == NULL || th->ngaps == 0 || th->lost)
		return;
	b = behind_new(emu, th);
	VEC_PUSH(&b->notes, emu->learn->arena, n);
}

void
gap_note_left(struct emu *emu, const struct thread *th, int chan, int64_t value)
{
	note(emu, th, (struct gap_note){ chan, value });
}

void
gap_note_task(
	struct emu *emu, const struct thread *th, uint32_t id, uint32_t body)
{
	note(emu, th,
		(struct gap_note){ NOTE_TASK - (int)emu->binding->slot,
			(int64_t)((uint64_t)body << 32 | id) });
}

void
gap_note_end(struct emu *emu, const struct thread *th)
{
	if (emu->learn != NULL && th->ngaps > 0)
		behind_new(emu, th)->whole = true;
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
	const struct behind *b = gap_notes_of(emu, th);

	return b == NULL ? THREAD_UNKNOWN : (enum thread_state)b->state;
}
