/* SPDX-License-Identifier: MIT */
/*
 * gap.h - where events were lost, states are lost.
 *
 * The recorder says between which times events of a stream are missing. When
 * the trace comes to such a gap, all that was known of the thread ends: rows
 * show VALUE_LOST. The thread's next event says that it is there; each channel
 * is known again when an event sets it. What was open below, on a stack, stays
 * unknown: leaving it is no mistake.
 *
 * Some of that can be known: if "leaves A" comes first behind a gap, the
 * thread was in A since the gap. So a trace with gaps is emulated twice, and
 * the first time only takes notes (struct gap_notes) of what was left without
 * having been entered, and of threads that ended in an orderly way, below which
 * nothing was open:
 *
 *	struct gap_notes *notes = gap_notes_new(&arena);
 *	options.learn = notes;   ... emu_run() ...
 *	options.known = notes;   ... emu_run() of the same trace again ...
 */
#ifndef WEFT_EMU_GAP_H
#define WEFT_EMU_GAP_H

#include <stdint.h>

#include "emu/state.h"

/* After the system is built: learns of the gaps that are known by now. */
void gap_open(struct emu *emu);
void gap_fini(struct emu *emu);

/* Ends what is known where gaps begin before the event. */
void gap_begin(struct emu *emu, const struct event *ev);

/* To be called before each event. */
static inline void
gap_look(struct emu *emu, const struct event *ev)
{
	if (__builtin_expect(ev->time > emu->gap_at, 0))
		gap_begin(emu, ev);
}

/* An event of a thread whose states are lost: it is there, at least. */
void gap_event(struct emu *emu, struct thread *th);

/* An event of a thread that is inferred now: the same, if they are lost. */
void gap_inferred(struct emu *emu, struct thread *th);

#endif
