/* SPDX-License-Identifier: MIT */
/*
 * task_say.h - bodies of tasks in messages: part of task.h.
 */
#ifndef WEFT_EMU_TASK_SAY_H
#define WEFT_EMU_TASK_SAY_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/task_table.h"

struct emu;

/* State of a body: `body` of struct task. */
enum body {
	BODY_CREATED,
	BODY_RUNNING,
	BODY_PAUSED,
	BODY_DEAD,
};

/* "Running" and so on, by enum body. */
extern const char *const task_body_state[];

/* A body by its ids; the body of a task that is not parallel is 1. */
struct task_name {
	uint32_t task, body;
};

static inline struct task_name
task_name(const struct task *task)
{
	const struct task_body *b = (const struct task_body *)task;

	if ((task->slot & TASK_BODY) == 0)
		return (struct task_name){ task->id, 1 };
	return (struct task_name){ b->of, b->body };
}

/* Returns " body 2" for the body of a parallel task, else "". */
const char *task_body_text(struct emu *emu, const struct task *task);

/* Report that a body cannot be executed, or cannot pause. top: the top of the
 * thread's stack, or NULL; ready: the body's own state would allow the
 * execution. */
void task_refuse_execute(struct emu *emu, const struct task *task,
	const struct task *top, bool ready);
void task_refuse_pause(struct emu *emu, const struct task *task);

/* Reports once, when an ovni tool is imitated, that a body starts over a
 * running one. */
void task_warn_nested(
	struct emu *emu, const struct task *task, const struct task *top);

#endif
