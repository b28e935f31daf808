/* SPDX-License-Identifier: MIT */
/*
 * task.h - tasks of Nanos6 in CTF. Only the beginning of a task names it; later
 * events concern the task that the thread began last. A task that is run inline
 * is stacked on the blocked task of its thread.
 */
#ifndef WEFT_EMU_CTF_TASK_H
#define WEFT_EMU_CTF_TASK_H

#include "emu/model.h"

/* Arguments of the event: (u32 id, u16 type). */
event_fn ctf_task_create;

/* Arguments: (u16 type, u32 id). Tasks of this type run on several threads. */
event_fn ctf_task_for;

/* Forgets a task that cannot run again: its memory, and so its id, is
 * reused. */
void ctf_task_forget(struct emu *emu, uint32_t id);

/* Notes that the thread resumes: its task was taken from the scheduler again.
 */
void ctf_task_resume(struct emu *emu, struct thread *th);

/* Only ctf_task_start has an argument: (u32 id). */
event_fn ctf_task_start, ctf_task_calls, ctf_task_block, ctf_task_unblock,
	ctf_task_end;

#endif
