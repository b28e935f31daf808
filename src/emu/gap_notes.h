/* SPDX-License-Identifier: MIT */
/*
 * gap_notes.h - what gap.c and gap_notes.c share: what an earlier run of the
 * trace noted of a thread behind its last gap.
 */
#ifndef WEFT_EMU_GAP_NOTES_H
#define WEFT_EMU_GAP_NOTES_H

#include "emu/state.h"

/* Notes the thread's state at its first event behind the gap. */
void gap_note_state(struct emu *emu, const struct thread *th);

/* That state; THREAD_UNKNOWN: nothing was noted. */
enum thread_state gap_notes_state(
	const struct emu *emu, const struct thread *th);

/* Enters again what was open behind the gap. */
void gap_notes_restore(struct emu *emu, struct thread *th);

#endif
