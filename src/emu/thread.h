/* SPDX-License-Identifier: MIT */
/*
 * thread.h - events that change the state or the CPU of a thread.
 */
#ifndef WEFT_EMU_THREAD_H
#define WEFT_EMU_THREAD_H

#include <stddef.h>

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

/* The sections of code that the thread is in, for a message. Returns to. */
const char *thread_open_text(
	const struct emu *emu, const struct thread *th, char *to, size_t room);

/* At the end of the trace: says which sections are still open. */
void thread_lint(struct emu *emu);

/* At the end of the trace: says which threads did not end. */
void thread_check_ends(struct emu *emu);

#endif
