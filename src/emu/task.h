/* SPDX-License-Identifier: MIT */
/*
 * task.h - tasks of a runtime, shared by all models that have tasks.
 *
 * A process has task types (each with a label) and tasks, which its threads
 * create with a type, then execute, pause, resume and end. Each thread has a
 * stack of the tasks that it began: only the top one may run. Types:
 * task_type.h. Rows of a model call the handlers below; struct task_def says
 * which channels of the model show id, type and rank, and the section of a
 * running body.
 */
#ifndef WEFT_EMU_TASK_H
#define WEFT_EMU_TASK_H

#include "emu/model.h"

struct thread;

/* Arguments of the event: (u32 taskid, u32 typeid). */
event_fn task_create;

/* Does the same for a task with many bodies, each of which runs once. */
event_fn task_create_parallel;

/* Arguments of their events: (u32 taskid), or (u32 taskid, u32 bodyid) if the
 * model's tasks have bodies; bodyid is 0 except for parallel tasks. */
event_fn task_execute, task_end, task_pause, task_resume;

/*
 * A thread begins or stops helping with a task-for, whose body runs on several
 * threads. Argument: (u32 taskid); without it only the section is shown.
 */
event_fn task_for_begin, task_for_end;

/* Forgets the tasks that a thread is in. */
void task_lose(struct thread *th);

/* task_enter() puts the thread into a task of the current binding's model: the
 * lower 32 bits of `named` are the task's id, the upper ones the body's.
 * task_show() updates the channels that show the task. */
void task_enter(struct emu *emu, struct thread *th, uint64_t named);
void task_show(struct emu *emu, struct thread *th);

#endif
