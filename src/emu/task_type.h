/* SPDX-License-Identifier: MIT */
/*
 * task_type.h - types of tasks, each with a label: part of task.h.
 */
#ifndef WEFT_EMU_TASK_TYPE_H
#define WEFT_EMU_TASK_TYPE_H

#include <stdbool.h>

#include "emu/state.h"

/* Arguments of the event: (u32 typeid, str label). */
event_fn task_type_create;

/* Returns the label of the new type in the current event: "" if the payload
 * ends where the label would begin, NULL if the event has no valid label. */
const char *task_type_label(const struct emu *emu, const struct event *ev);

/* Adds a type; label NULL: the event has no valid one. */
void task_type_add(struct emu *emu, uint32_t id, const char *label);

/* A thread begins or ends work of a type that is no task, as a worksharing:
 * (u32 typeid). The channel of types is a stack. */
event_fn task_type_enter, task_type_leave;

/* Returns a key for the id of a type or a task: two runtimes in one process may
 * use the same ids. */
static inline uint64_t
task_key(const struct emu *emu, uint32_t id)
{
	return (uint64_t)emu->binding->slot << 32 | id;
}

/* Returns the type of the thread's process and the binding's model, or NULL. */
static inline struct task_type *
task_type_find(const struct emu *emu, const struct thread *th, uint32_t id)
{
	const uint64_t *at = map_get(&th->process->types, task_key(emu, id));

	return at == NULL ? NULL : (struct task_type *)(uintptr_t)*at;
}

/* Returns a type whose creation was lost; adds it if it is new. */
struct task_type *task_type_unknown(
	struct emu *emu, struct thread *th, uint32_t id);

/* Returns the unknown type of a task of the current event's thread. Reports
 * only the first one: the trace of a killed program may lack thousands. */
const struct task_type *task_type_infer(struct emu *emu, uint32_t id);

/* Returns true if there may be no more types. */
bool task_type_is_full(const struct emu *emu);

#endif
