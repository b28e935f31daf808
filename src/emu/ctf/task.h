/* SPDX-License-Identifier: MIT */
/*
 * task.h - tasks of Nanos6 in CTF: only their begin names them; what follows
 * is about the one that the thread began last. A task that is run inline is
 * stacked on the blocked one of its thread.
 */
#ifndef WEFT_EMU_CTF_TASK_H
#define WEFT_EMU_CTF_TASK_H

#include "emu/model.h"

/* (u32 id, u16 type) */
event_fn ctf_task_create;

/* (u16 type, u32 id): tasks of this type run on several threads. */
event_fn ctf_task_for;

/* It cannot run again: its memory is for others. */
void ctf_task_forget(struct emu *emu, uint32_t id);

/* The thread goes on: its task has come from the scheduler again. */
void ctf_task_resume(struct emu *emu, struct thread *th);

/* (u32 id), then nothing */
event_fn ctf_task_start, ctf_task_calls, ctf_task_block, ctf_task_unblock,
	ctf_task_end;

#endif
