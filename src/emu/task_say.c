/* SPDX-License-Identifier: MIT */
#include "emu/task_say.h"

#include "base/arena.h"
#include "emu/say.h"
#include "emu/state.h"

const char *const task_body_state[] = {
	[BODY_CREATED] = "Created",
	[BODY_RUNNING] = "Running",
	[BODY_PAUSED] = "Paused",
	[BODY_DEAD] = "Dead",
};

/* Reports the error in the words of the ovni tools, which scripts look for. */
static void
refuse_old(struct emu *emu, const struct task *task, const struct task *top,
	bool ready)
{
	struct task_name name = task_name(task), over = { 0 };

	if (top != NULL)
		over = task_name(top);
	if (ready)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: cannot nest body(id=%u,taskid=%u) over "
			"body(id=%u,taskid=%u) which is already running",
			name.body, name.task, over.body, over.task);
	else if (task->body == BODY_PAUSED)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: refusing to run body(id=%u,taskid=%u) "
			"in Paused state, needs to resume intead",
			name.body, name.task);
	else if (task->body == BODY_RUNNING)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: body(id=%u,taskid=%u) state must be "
			"Created but is Running",
			name.body, name.task);
	else
		emu_finding(emu, FINDING_ERROR,
			"body_execute: body(id=%u,taskid=%u) is not allowed to "
			"run again",
			name.body, name.task);
}

void
task_warn_nested(
	struct emu *emu, const struct task *task, const struct task *top)
{
	struct task_name name = task_name(task), over = task_name(top);

	if (emu->nested_said)
		return;
	emu->nested_said = true;
	emu_finding(emu, FINDING_WARNING,
		"body_execute: deprecated nesting of body(id=%u,taskid=%u) "
		"over body(id=%u,taskid=%u), which is already running; "
		"further ones are not reported",
		name.body, name.task, over.body, over.task);
}

const char *
task_body_text(struct emu *emu, const struct task *task)
{
	if ((task->slot & TASK_BODY) == 0)
		return "";
	return arena_printf(emu->arena, " body %u", task_name(task).body);
}

void
task_refuse_execute(struct emu *emu, const struct task *task,
	const struct task *top, bool ready)
{
	uint32_t id = task_name(task).task;

	if (emu->strict)
		refuse_old(emu, task, top, ready);
	else if (ready)
		emu_finding(emu, FINDING_ERROR,
			"cannot nest task %u%s over task %u%s which is already "
			"running",
			id, task_body_text(emu, task), task_name(top).task,
			task_body_text(emu, top));
	else
		emu_finding(emu, FINDING_ERROR,
			"task %u%s cannot be executed: it is %s, not Created%s",
			id, task_body_text(emu, task),
			task_body_state[task->body],
			task->body == BODY_PAUSED ? "; resume it instead" : "");
}

void
task_refuse_pause(struct emu *emu, const struct task *task)
{
	struct task_name name = task_name(task);

	if (emu->strict)
		emu_finding(emu, FINDING_ERROR,
			"body_pause: body(id=%u,taskid=%u) is not allowed to "
			"pause",
			name.body, name.task);
	else
		emu_finding(emu, FINDING_ERROR,
			"task %u cannot pause: it is parallel", name.task);
}
