/* SPDX-License-Identifier: MIT */
/*
 * point.h - the context of what a runtime calls its points, by the models that
 * its trace declares (declared.h): what a thread is in, calls and tasks, is
 * shown in its rows, and findings say what cannot be: a call from task context
 * outside a task, an exit without its enter, an enter that is never left.
 *
 * The rules are those of <weft/ctf.h> with WEFT_CTF_DEBUG; here the run goes
 * on. Where events do not say who is on a CPU, one worker stands for all.
 */
#ifndef WEFT_EMU_CTF_POINT_H
#define WEFT_EMU_CTF_POINT_H

#include "emu/model.h"

struct points;

/* Entry points, by their context. */
event_fn point_tc_enter, point_tc_exit, point_oc_enter, point_oc_exit;

/* (u32 id, u32 type) or less, then nothing */
event_fn point_begin_task, point_end_task, point_block_task, point_unblock_task;

/* With a field "tid". */
event_fn point_resume_thread;

/* What is no entry point, and (u32 type, str label). */
event_fn point_moment, point_label;

/* Says which calls are open in processes which ended in an orderly way, if the
 * trace was read to its end. */
hook_fn point_check_ends;

/* What the thread is in is not known any more. */
void point_lose(struct points *p, const struct thread *th);

/* NULL: nothing. */
void point_fini(struct points *p);

#endif
