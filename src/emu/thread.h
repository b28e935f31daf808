/* SPDX-License-Identifier: MIT */
/*
 * thread.h - events that change the state or the CPU of a thread.
 */
#ifndef WEFT_EMU_THREAD_H
#define WEFT_EMU_THREAD_H

#include "emu/model.h"

struct thread;

/* (i32 cpu, i32 creator, u64 tag): only the CPU counts; -1 is the virtual
 * one. */
event_fn thread_execute;

/* No arguments. */
event_fn thread_end, thread_pause, thread_resume, thread_cool, thread_warm;

/* (i32 cpu) and (i32 cpu, i32 tid) */
event_fn thread_move_self, thread_move_other;

/* An event that only very old traces have. */
event_fn thread_obsolete;

/* Before the first event that is there of a thread whose first ones were
 * overwritten: it runs already, or is paused. */
void thread_began_earlier(struct emu *emu, struct thread *th);

/* Says which threads did not end, if the trace was read to its end. */
hook_fn thread_check_ends;

#endif
