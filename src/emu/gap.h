/* SPDX-License-Identifier: MIT */
/*
 * gap.h - gaps: where events were lost, states are unknown.
 *
 * The recorder says between which times events of a stream are missing. When
 * the emulation comes to such a gap, all states of the thread end: its rows
 * show VALUE_LOST. The thread's next event shows that the thread still exists;
 * each channel is known again when an event sets it. The lower entries of a
 * stack stay unknown, and popping them is no fault.
 *
 * Some states can be inferred from later events: if the first event after a gap
 * is "leaves A", the thread was in A since the gap. So a trace with gaps is
 * emulated twice. The first pass only takes notes (struct gap_notes) of states
 * that were left without having been entered, and of threads that ended
 * normally, which left nothing open:
 *
 *	struct gap_notes *notes = gap_notes_new(&arena);
 *	options.learn = notes; ... emu_run() ...
 *	options.known = notes; ... emu_run() of the same trace again ...
 */
#ifndef WEFT_EMU_GAP_H
#define WEFT_EMU_GAP_H

#include <stdint.h>

#include "emu/state.h"

/* Finds the gaps known so far. Call it when the system is built. */
void gap_open(struct emu *emu);
void gap_fini(struct emu *emu);

/* Handles the begins and ends of gaps before the event. */
void gap_begin(struct emu *emu, const struct event *ev);

/* Handles gaps up to the event. Call this before each event. */
static inline void
gap_look(struct emu *emu, const struct event *ev)
{
	if (__builtin_expect(ev->time > emu->gap_at, 0))
		gap_begin(emu, ev);
}

/* Handles an event of a thread in a gap. */
void gap_event(struct emu *emu, struct thread *th);

/* Does the same for an event that is inferred; does nothing outside a gap. */
void gap_inferred(struct emu *emu, struct thread *th);

#endif
