/* SPDX-License-Identifier: MIT */
/*
 * entry_point.h - what a thread is in, for models that a trace declares
 * (declared.h): the calls of the runtime (entry points) and tasks. The rows
 * show them, and findings report contradictions: a call from task context
 * outside a task, an exit without its enter, a call that is never left.
 *
 * The rules are those of <weft/ctf.h> with WEFT_CTF_DEBUG, but the emulation
 * continues. Where events do not tell which thread is on a CPU, one worker
 * stands for all.
 */
#ifndef WEFT_EMU_CTF_ENTRY_POINT_H
#define WEFT_EMU_CTF_ENTRY_POINT_H

#include "emu/model.h"

struct entry_points;

/* Enter or leave a call, by its context. */
event_fn entry_point_tc_enter, entry_point_tc_exit, entry_point_oc_enter,
	entry_point_oc_exit;

/* The fields of their events are (u32 id, u32 type), (u32 type) or none. */
event_fn entry_point_begin_task, entry_point_end_task, entry_point_block_task,
	entry_point_unblock_task;

/* The event needs a field "tid". */
event_fn entry_point_resume_thread;

/* entry_point_moment is for events that are not entry points. The fields of an
 * entry_point_label event are (u32 type, str label). */
event_fn entry_point_moment, entry_point_label;

/* Reports the calls that are still open in processes that exited normally, if
 * the trace was read to its end. */
hook_fn entry_point_check_ends;

/* Forgets what the thread is in, after lost events. */
void entry_point_lose(struct entry_points *p, const struct thread *th);

/* Frees the contexts; NULL is fine. */
void entry_point_fini(struct entry_points *p);

#endif
