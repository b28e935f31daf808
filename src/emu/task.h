/* SPDX-License-Identifier: MIT */
/*
 * task.h - tasks of a runtime, shared by all models that have them.
 *
 * A process has task types (a label each) and tasks (created with a type, then
 * executed, paused, resumed and ended by its threads). Each thread has a stack
 * of the tasks that it began: only the top one may run. The handlers below go
 * into the rows of a model; struct task_def says which of its channels show
 * id, type and rank, and which section a running body is.
 */
#ifndef WEFT_EMU_TASK_H
#define WEFT_EMU_TASK_H

#include "emu/model.h"

struct thread;

/* (u32 typeid, str label) */
event_fn task_type_create;

/* (u32 taskid, u32 typeid) */
event_fn task_create;

/* (u32 taskid) */
event_fn task_execute, task_end, task_pause, task_resume;

/*
 * A thread begins and ends to help with a task-for, whose body runs on several
 * threads: (u32 taskid), or nothing, and then it is a section and no more.
 */
event_fn task_for_begin, task_for_end;

/* Nothing is known any more of the tasks that a thread is in. */
void task_lose(struct thread *th);

/* The thread is in that task, of the model of the current binding; and
 * what its channels show then. */
void task_enter(struct emu *emu, struct thread *th, uint32_t id);
void task_show(struct emu *emu, struct thread *th);

#endif
