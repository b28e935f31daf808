/* SPDX-License-Identifier: MIT */
/*
 * gap_notes.h - the notes that the first pass over a trace with gaps leaves for
 * the second one: the states that each thread was in after each of its gaps.
 */
#ifndef WEFT_EMU_GAP_NOTES_H
#define WEFT_EMU_GAP_NOTES_H

#include "emu/state.h"

struct gap_notes;

/* A state that a thread left after a gap although no event had entered it, or a
 * task that it continued. The innermost is the first. */
struct gap_note {
	int chan; /* channel; for a task: NOTE_TASK - index of the model */
	int64_t value;
};

#define NOTE_TASK (-1)

/* The notes on one gap of a thread. */
struct behind {
	VEC(struct gap_note) notes;
	bool whole;    /* the thread ended normally: nothing else was open */
	uint8_t state; /* state of the thread at its next event */
};

/* Returns empty notes, in the arena except for a map. */
struct gap_notes *gap_notes_new(struct arena *a);
void gap_notes_fini(struct gap_notes *n);

/* Note that the thread left a state that it had entered before or during the
 * gap, or continued a task that it had begun then. */
void gap_note_left(
	struct emu *emu, const struct thread *th, int chan, int64_t value);
void gap_note_task(
	struct emu *emu, const struct thread *th, uint32_t id, uint32_t body);

/* Notes that the thread ended normally: nothing else was open. */
void gap_note_end(struct emu *emu, const struct thread *th);

/* Notes the thread's state at its first event after the gap. */
void gap_note_state(struct emu *emu, const struct thread *th);

/* Returns the first pass's notes on the thread's current gap, or NULL. */
const struct behind *gap_notes_of(
	const struct emu *emu, const struct thread *th);

/* Returns the noted state; THREAD_UNKNOWN: no notes. */
enum thread_state gap_notes_state(
	const struct emu *emu, const struct thread *th);

#endif
