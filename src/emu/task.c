/* SPDX-License-Identifier: MIT */
#include "emu/task.h"

#include <string.h>

#include "base/arena.h"
#include "emu/breakdown.h"
#include "emu/change.h"
#include "emu/gap_notes.h"
#include "emu/label_id.h"
#include "emu/mend.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

#define TYPES_MAX 65536 /* per trace; a program has some dozens */
#define LABEL_MAX 512   /* bytes that Paraver's label files can hold */

enum body {
	BODY_CREATED,
	BODY_RUNNING,
	BODY_PAUSED,
	BODY_DEAD,
};

static const char *const body_name[] = {
	[BODY_CREATED] = "Created",
	[BODY_RUNNING] = "Running",
	[BODY_PAUSED] = "Paused",
	[BODY_DEAD] = "Dead",
};

enum { NEW_TYPE, NEW_LABEL };
enum { TASK_ID, TASK_TYPE };

/* Returns a key for the id: two runtimes in one process may use the same
 * ids. */
static uint64_t
key(const struct emu *emu, uint32_t id)
{
	return (uint64_t)emu->binding->slot << 32 | id;
}

static struct task_type *
find_type(const struct emu *emu, const struct thread *th, uint32_t id)
{
	const uint64_t *at = map_get(&th->process->types, key(emu, id));

	return at == NULL ? NULL : (struct task_type *)(uintptr_t)*at;
}

static struct task *
find(const struct emu *emu, const struct thread *th, uint32_t id)
{
	return task_table_get(
		&th->process->tasks, (uint16_t)emu->binding->slot, id);
}

static const struct task_def *
def_of(const struct emu *emu)
{
	return emu->binding->model->tasks;
}

/* Returns the top of the thread's stack of tasks of this model. */
static struct task **
top_of(const struct emu *emu, struct thread *th)
{
	return &th->task[emu->binding->slot];
}

static int
chan_of(const struct emu *emu, int local)
{
	return emu->binding->first_chan + local;
}

/* Reports different labels with the same value, which cannot be told apart. The
 * ovni tools report this after everything is written. */
static void
check_collision(struct emu *emu, const struct task_type *type)
{
	uint64_t *other = map_put(&emu->type_labels, type->gid);
	const char *text;

	if (*other == 0)
		*other = (uint64_t)(uintptr_t)type->label;
	if (strcmp((const char *)(uintptr_t)*other, type->label) == 0)
		return;
	text = arena_printf(emu->arena,
		"collision occurred in task type labels: %s and %s have the "
		"same value %u",
		(const char *)(uintptr_t)*other, type->label, type->gid);
	if (!emu->strict)
		emu_finding(emu, FINDING_ERROR, "%s", text);
	else if (emu->said_at_end == NULL)
		emu->said_at_end = text;
}

static void
label_type(struct emu *emu, const struct task_type *type)
{
	view_label(
		emu, chan_of(emu, def_of(emu)->type), type->gid, type->label);
	breakdown_label(
		emu, chan_of(emu, def_of(emu)->type), type->gid, type->label);
}

/* Notes the id: larger ids are free. */
static void
note_id(struct thread *th, uint32_t id)
{
	if (id > th->process->top_type && id < UINT32_MAX)
		th->process->top_type = id;
}

void
task_type_create(struct emu *emu, const struct event *ev)
{
	uint32_t id = emu_arg_u32(emu, NEW_TYPE);
	const char *label = bind_str(emu->binding, ev, NEW_LABEL);
	struct map *types = &emu->thread->process->types;
	struct task_type *type = find_type(emu, emu->thread, id);

	note_id(emu->thread, id);
	if (id != 0 && type != NULL && type->inferred) {
		mend_leave_out(emu);
		return;
	}
	if (id == 0 || type != NULL) {
		emu_finding(emu, FINDING_ERROR,
			id == 0 ? "task type id cannot be %u"
				: "task type id %u already exists",
			id);
		return;
	}
	if (label == NULL || strlen(label) >= LABEL_MAX) {
		emu_finding(emu, FINDING_ERROR,
			label == NULL ? "the label of task type %u has no end"
				      : "task type %u label too long",
			id);
		return;
	}
	if (emu->ntask_types == TYPES_MAX) {
		emu_finding(emu, FINDING_ERROR,
			"task type %u is one too many: there are %d", id,
			TYPES_MAX);
		return;
	}
	emu->ntask_types++;
	type = ARENA_NEW(emu->arena, struct task_type);
	type->label = *label != '\0'
		? arena_strdup(emu->arena, label)
		: arena_printf(emu->arena, "(unlabeled task type %u)", id);
	type->gid = label_id(type->label);
	*map_put(types, key(emu, id)) = (uint64_t)(uintptr_t)type;
	check_collision(emu, type);
	label_type(emu, type);
}

/* Returns a type whose creation was lost with the stream of a killed writer;
 * adds it if it is new. */
static struct task_type *
unknown_type(struct emu *emu, struct thread *th, uint32_t id)
{
	struct task_type *type = find_type(emu, th, id);

	if (type != NULL)
		return type;
	type = ARENA_NEW(emu->arena, struct task_type);
	type->label = MEND_TYPE_LABEL;
	type->gid = label_id(type->label);
	type->inferred = true;
	emu->ntask_types += id != MEND_TYPE;
	*map_put(&th->process->types, key(emu, id)) = (uint64_t)(uintptr_t)type;
	label_type(emu, type);
	return type;
}

static struct task *
add_task(struct emu *emu, struct thread *th, uint32_t id,
	const struct task_type *type)
{
	struct task *task;

	if (emu->task_pool.arena == NULL)
		pool_init(&emu->task_pool, emu->arena, sizeof *task);
	task = pool_get(&emu->task_pool);
	task->id = id;
	task->slot = (uint16_t)emu->binding->slot;
	task->type = type;
	task_table_add(&th->process->tasks, task);
	return task;
}

/* Returns the type of a task whose type is unknown. Reported once: a killed
 * trace may lack thousands. */
static const struct task_type *
infer_type(struct emu *emu, uint32_t id)
{
	struct task_type *type;

	if (emu->inferred_tasks++ == 0)
		emu_finding(emu, FINDING_NOTE,
			"inferred: this task is of an unknown type, as are "
			"others that follow; the events that created them are "
			"lost");
	type = unknown_type(emu, emu->thread, id);
	if (!type->mended)
		mend_type(emu, id);
	type->mended = true;
	note_id(emu->thread, id);
	return type;
}

static struct task *
infer_task(struct emu *emu, uint32_t id)
{
	struct task *task =
		add_task(emu, emu->thread, id, infer_type(emu, MEND_TYPE));

	task->inferred = true;
	mend_task(emu, id);
	return task;
}

/* Creates a task of the unknown type, whose id no event can create. */
static void
create_untyped(struct emu *emu, uint32_t id)
{
	add_task(emu, emu->thread, id, infer_type(emu, MEND_TYPE));
	mend_untyped(emu, id);
}

void
task_create(struct emu *emu, const struct event *ev)
{
	uint32_t id = emu_arg_u32(emu, TASK_ID);
	uint32_t type_id = emu_arg_u32(emu, TASK_TYPE);
	struct process *p = emu->thread->process;
	const struct task_type *type = find_type(emu, emu->thread, type_id);
	const struct task *task = find(emu, emu->thread, id);

	(void)ev;
	if (type == NULL && !emu->incomplete)
		emu_finding(emu, FINDING_ERROR,
			"task %u has the unknown type %u", id, type_id);
	else if (task != NULL && task->inferred)
		mend_leave_out(emu);
	else if (task != NULL || idset_has(&p->ended, key(emu, id)))
		emu_finding(
			emu, FINDING_ERROR, "task id %u already exists", id);
	else if (type_id == MEND_TYPE ||
		(type == NULL && emu->ntask_types == TYPES_MAX))
		create_untyped(emu, id);
	else
		add_task(emu, emu->thread, id,
			type != NULL ? type : infer_type(emu, type_id));
}

/* Returns a substitute for a task that has ended: only its id is kept. */
static struct task *
gone(struct emu *emu, uint32_t id)
{
	static const struct task_type none = { 0 };
	struct task *task = &emu->gone_task;

	*task = (struct task){ .id = id, .body = BODY_DEAD, .type = &none };
	return task;
}

/* Returns the task that the event names, or NULL with a finding. */
static struct task *
named(struct emu *emu)
{
	uint32_t id = emu_arg_u32(emu, TASK_ID);
	struct task *task = find(emu, emu->thread, id);

	if (id == 0)
		emu_finding(emu, FINDING_ERROR, "task id cannot be 0");
	else if (task == NULL &&
		idset_has(&emu->thread->process->ended, key(emu, id)))
		task = gone(emu, id);
	else if (task == NULL && emu->incomplete)
		task = infer_task(emu, id);
	else if (task == NULL)
		emu_finding(emu, FINDING_ERROR,
			"unknown task %u: no event creates it", id);
	return id == 0 ? NULL : task;
}

/* The task of another thread whose body this thread helps to run. */
struct helped {
	const struct task_type *type;
	const struct task *over; /* its own top task when it began to help */
	uint32_t id;
	uint16_t slot; /* of the model */
	bool now;
};

static void
show(struct emu *emu, struct thread *th, int64_t id, int64_t type)
{
	const struct task_def *def = def_of(emu);
	int64_t rank = th->process->rank;

	if (th->has.chan[chan_of(emu, def->id)].value == id)
		return;
	emu_set_of(emu, &th->has, chan_of(emu, def->id), id);
	emu_set_of(emu, &th->has, chan_of(emu, def->type), type);
	if (rank >= 0)
		emu_set_of(emu, &th->has, chan_of(emu, def->rank),
			id == VALUE_NONE || id == VALUE_LOST ? id : rank + 1);
}

/* Shows the task that the thread runs: its own, or the one that it helps with,
 * whichever it began last. */
void
task_show(struct emu *emu, struct thread *th)
{
	const struct helped *helped = th->helped;
	const struct task *top = *top_of(emu, th);

	if (helped != NULL && helped->now &&
		helped->slot == emu->binding->slot && helped->over == top)
		show(emu, th, helped->id, helped->type->gid);
	else if (top != NULL && top->body == BODY_RUNNING)
		show(emu, th, top->id, top->type->gid);
	else if (top == NULL && th->tasks_lost)
		show(emu, th, VALUE_LOST, VALUE_LOST);
	else
		show(emu, th, VALUE_NONE, VALUE_NONE);
}

/* Reports the error in the words of the ovni tools, which scripts look for. */
static void
refuse_old(struct emu *emu, const struct task *task, const struct task *top)
{
	if (task->body == BODY_CREATED)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: cannot nest body(id=1,taskid=%u) over "
			"body(id=1,taskid=%u) which is already running",
			task->id, top->id);
	else if (task->body == BODY_PAUSED)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: refusing to run body(id=1,taskid=%u) "
			"in Paused state, needs to resume intead",
			task->id);
	else if (task->body == BODY_RUNNING)
		emu_finding(emu, FINDING_ERROR,
			"body_execute: body(id=1,taskid=%u) state must be "
			"Created but is Running",
			task->id);
	else
		emu_finding(emu, FINDING_ERROR,
			"body_execute: body(id=1,taskid=%u) is not allowed to "
			"run again",
			task->id);
}

static void
refuse(struct emu *emu, const struct task *task, const struct task *top)
{
	if (emu->strict)
		refuse_old(emu, task, top);
	else if (task->body == BODY_CREATED)
		emu_finding(emu, FINDING_ERROR,
			"cannot nest task %u over task %u which is already "
			"running",
			task->id, top->id);
	else
		emu_finding(emu, FINDING_ERROR,
			"task %u cannot be executed: it is %s, not Created%s",
			task->id, body_name[task->body],
			task->body == BODY_PAUSED ? "; resume it instead" : "");
}

static bool
may_execute(struct emu *emu, const struct task *task)
{
	const struct task *top = *top_of(emu, emu->thread);
	bool nests = top != NULL && top->body == BODY_RUNNING;

	if (task->body == BODY_CREATED && !(nests && !def_of(emu)->nests))
		return true;
	refuse(emu, task, top);
	return false;
}

void
task_execute(struct emu *emu, const struct event *ev)
{
	struct task *task = named(emu);

	(void)ev;
	if (task == NULL || !may_execute(emu, task))
		return;
	task->body = BODY_RUNNING;
	task->below = *top_of(emu, emu->thread);
	*top_of(emu, emu->thread) = task;
	task_show(emu, emu->thread);
	emu_push(emu, chan_of(emu, def_of(emu)->section), def_of(emu)->body);
}

/* Returns true if the begin of the task may be lost in a gap. */
static bool
is_unseen(const struct emu *emu, const struct task *task)
{
	return emu->thread->tasks_lost && *top_of(emu, emu->thread) == NULL &&
		task->body != BODY_DEAD;
}

/* The thread has been in this task since the gap, as the event shows. */
static void
find_unseen(struct emu *emu, struct task *task, enum body body)
{
	gap_note_task(emu, emu->thread, task->id);
	task->body = (uint8_t)body;
	task->below = NULL;
	*top_of(emu, emu->thread) = task;
}

/* Returns the task of the event, if it is on top of this thread's stack and in
 * that state; else NULL. */
static struct task *
top_in(struct emu *emu, enum body body, const char *verb)
{
	struct task *task = named(emu);

	if (task == NULL)
		return NULL;
	if (task->body != body && emu->thread->late &&
		*top_of(emu, emu->thread) == NULL)
		return NULL; /* it began before the first event */
	if (is_unseen(emu, task))
		find_unseen(emu, task, body);
	if (task->body != body) {
		emu_finding(emu, FINDING_ERROR,
			"task %u cannot be %s: it is %s, not %s", task->id,
			verb, body_name[task->body], body_name[body]);
		return NULL;
	}
	if (task != *top_of(emu, emu->thread)) {
		emu_finding(emu, FINDING_ERROR,
			"task %u cannot be %s here: it is not on top of the "
			"tasks of this thread",
			task->id, verb);
		return NULL;
	}
	return task;
}

/* Frees a task that cannot run again; its id is kept. */
static void
forget(struct emu *emu, struct task *task)
{
	struct process *p = emu->thread->process;

	idset_add(&p->ended, key(emu, task->id));
	task_table_remove(&p->tasks, task);
	pool_put(&emu->task_pool, task);
}

void
task_end(struct emu *emu, const struct event *ev)
{
	struct task *task = top_in(emu, BODY_RUNNING, "ended");

	(void)ev;
	if (task == NULL)
		return;
	task->body = BODY_DEAD;
	*top_of(emu, emu->thread) = task->below;
	emu_pop(emu, chan_of(emu, def_of(emu)->section), def_of(emu)->body);
	task_show(emu, emu->thread);
	forget(emu, task);
}

void
task_pause(struct emu *emu, const struct event *ev)
{
	struct task *task = top_in(emu, BODY_RUNNING, "paused");

	(void)ev;
	if (task == NULL)
		return;
	if (!def_of(emu)->may_pause) {
		emu_finding(emu, FINDING_ERROR,
			"task %u is not allowed to pause", task->id);
		return;
	}
	task->body = BODY_PAUSED;
	task_show(emu, emu->thread);
}

void
task_resume(struct emu *emu, const struct event *ev)
{
	struct task *task = top_in(emu, BODY_PAUSED, "resumed");

	(void)ev;
	if (task == NULL)
		return;
	task->body = BODY_RUNNING;
	task_show(emu, emu->thread);
}

void
task_for_begin(struct emu *emu, const struct event *ev)
{
	const struct task_def *def = def_of(emu);
	struct helped **helped = &emu->thread->helped;
	const struct task *task = NULL;

	/* To the ovni tools the event has no task id, whatever its payload. */
	if (!emu->strict && bind_has(emu->binding, ev, TASK_ID))
		task = named(emu);
	emu_push(emu, chan_of(emu, def->section), def->task_for);
	if (task != NULL && task->body == BODY_DEAD)
		emu_finding(emu, FINDING_WARNING,
			"task %u has ended already: it is not shown", task->id);
	if (task == NULL || task->body == BODY_DEAD)
		return;
	if (*helped == NULL)
		*helped = ARENA_NEW(emu->arena, struct helped);
	**helped = (struct helped){ task->type, *top_of(emu, emu->thread),
		task->id, emu->binding->slot, true };
	task_show(emu, emu->thread);
}

void
task_for_end(struct emu *emu, const struct event *ev)
{
	const struct task_def *def = def_of(emu);

	(void)ev;
	emu_pop(emu, chan_of(emu, def->section), def->task_for);
	if (emu->thread->helped == NULL)
		return;
	emu->thread->helped->now = false;
	task_show(emu, emu->thread);
}

void
task_lose(struct thread *th)
{
	th->tasks_lost = true;
	if (th->helped != NULL)
		th->helped->now = false;
}

void
task_enter(struct emu *emu, struct thread *th, uint32_t id)
{
	struct task *task = find(emu, th, id);

	if (task == NULL) { /* the event that created the task is lost, too */
		task = add_task(emu, th, id, unknown_type(emu, th, MEND_TYPE));
		task->inferred = true;
	}
	task->body = BODY_RUNNING;
	task->below = *top_of(emu, th);
	*top_of(emu, th) = task;
}
