/* SPDX-License-Identifier: MIT */
/*
 * thread.h - events that change the state or the CPU of a thread.
 */
#ifndef WEFT_EMU_THREAD_H
#define WEFT_EMU_THREAD_H

#include "emu/model.h"

struct thread;

/* Arguments of the event: (i32 cpu, i32 creator, u64 tag). The handler uses
 * only the CPU; -1 is the virtual CPU. */
event_fn thread_execute;

/* Their events have no arguments. */
event_fn thread_end, thread_pause, thread_resume, thread_cool, thread_warm;

/* Arguments: (i32 cpu) for a thread that moves itself, (i32 cpu, i32 tid) for
 * one that moves another. */
event_fn thread_move_self, thread_move_other;

/* An event that occurs only in very old traces. */
event_fn thread_obsolete;

/* Infers the state of a thread whose first events were overwritten, before the
 * first event that is left: Running or Paused. */
void thread_began_earlier(struct emu *emu, struct thread *th);

/* Adds findings about threads that did not end, if the trace was read to its
 * end. */
hook_fn thread_check_ends;

#endif
