/* SPDX-License-Identifier: MIT */
/*
 * gap_notes.h - what a run of a trace with gaps notes for the next one of the
 * same trace: of each thread, what was left behind each of its gaps.
 */
#ifndef WEFT_EMU_GAP_NOTES_H
#define WEFT_EMU_GAP_NOTES_H

#include "emu/state.h"

struct gap_notes;

/* A state that was left behind a gap although nobody had seen it entered; or a
 * task that went on. The innermost first. */
struct gap_note {
	int chan; /* or NOTE_TASK - the place of the model */
	int64_t value;
};

#define NOTE_TASK (-1)

/* What is known of a thread behind one of its gaps. */
struct behind {
	VEC(struct gap_note) notes;
	bool whole;    /* it ended in an orderly way: nothing was open below */
	uint8_t state; /* of the thread, as its next event shows */
};

/* Notes without anything in them; they live in the arena but for a map. */
struct gap_notes *gap_notes_new(struct arena *a);
void gap_notes_fini(struct gap_notes *n);

/* Notes that the thread left a state that it had entered before it was
 * known, or went on with a task. */
void gap_note_left(
	struct emu *emu, const struct thread *th, int chan, int64_t value);
void gap_note_task(struct emu *emu, const struct thread *th, uint32_t id);

/* Notes that the thread ended in an orderly way: nothing was open below. */
void gap_note_end(struct emu *emu, const struct thread *th);

/* Notes the thread's state at its first event behind the gap. */
void gap_note_state(struct emu *emu, const struct thread *th);

/* What an earlier run noted of the thread behind its last gap, or NULL. */
const struct behind *gap_notes_of(
	const struct emu *emu, const struct thread *th);

/* That state; THREAD_UNKNOWN: nothing was noted. */
enum thread_state gap_notes_state(
	const struct emu *emu, const struct thread *th);

#endif
