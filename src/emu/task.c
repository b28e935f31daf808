/* SPDX-License-Identifier: MIT */
#include "emu/task.h"

#include "base/arena.h"
#include "emu/change.h"
#include "emu/gap_notes.h"
#include "emu/mend.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/task_say.h"
#include "emu/task_type.h"

enum { TASK_ID, TASK_TYPE, BODY_ID = TASK_TYPE };

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

/* Returns true if the body may run once more when it has ended. */
static bool
runs_again(const struct emu *emu, const struct task *task)
{
	return def_of(emu)->again && (task->slot & TASK_BODY) == 0;
}

static int
chan_of(const struct emu *emu, int local)
{
	return emu->binding->first_chan + local;
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

static struct task *
infer_task(struct emu *emu, uint32_t id, bool parallel)
{
	struct task *task =
		add_task(emu, emu->thread, id, task_type_infer(emu, MEND_TYPE));

	task->inferred = true;
	task->parallel = parallel;
	mend_task(emu, id, parallel);
	return task;
}

/* Creates a task of the unknown type, whose id no event can create. */
static struct task *
create_untyped(struct emu *emu, uint32_t id, bool parallel)
{
	struct task *task =
		add_task(emu, emu->thread, id, task_type_infer(emu, MEND_TYPE));

	mend_untyped(emu, id, parallel);
	return task;
}

/* Returns true if the event may create the task, or false with a finding. */
static inline bool
may_create(struct emu *emu, uint32_t id, uint32_t type_id, bool has_type)
{
	const struct process *p = emu->thread->process;
	bool is_new = id > p->tasks.top;
	const struct task *task = is_new ? NULL : find(emu, emu->thread, id);

	if (id == 0 && def_of(emu)->no_zero)
		emu_finding(emu, FINDING_ERROR, "task id cannot be 0");
	else if (!has_type && !emu->incomplete)
		emu_finding(emu, FINDING_ERROR,
			"task %u has the unknown type %u", id, type_id);
	else if (task != NULL && task->inferred)
		mend_leave_out(emu);
	else if (!is_new &&
		(task != NULL || idset_has(&p->ended, task_key(emu, id))))
		emu_finding(
			emu, FINDING_ERROR, "task id %u already exists", id);
	else
		return true;
	return false;
}

static inline void
create(struct emu *emu, bool parallel)
{
	uint32_t id = emu_arg_u32(emu, TASK_ID);
	uint32_t type_id = emu_arg_u32(emu, TASK_TYPE);
	const struct task_type *type =
		task_type_find(emu, emu->thread, type_id);
	struct task *task;

	if (!may_create(emu, id, type_id, type != NULL))
		return;
	if (type_id == MEND_TYPE || (type == NULL && task_type_is_full(emu)))
		task = create_untyped(emu, id, parallel);
	else
		task = add_task(emu, emu->thread, id,
			type != NULL ? type : task_type_infer(emu, type_id));
	if (parallel)
		task->parallel = true;
}

void
task_create(struct emu *emu, const struct event *ev)
{
	(void)ev;
	create(emu, false);
}

void
task_create_parallel(struct emu *emu, const struct event *ev)
{
	(void)ev;
	create(emu, true);
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
named_task(struct emu *emu, bool parallel)
{
	uint32_t id = emu_arg_u32(emu, TASK_ID);
	struct task *task = find(emu, emu->thread, id);

	if (id == 0)
		emu_finding(emu, FINDING_ERROR, "task id cannot be 0");
	else if (task == NULL &&
		idset_has(&emu->thread->process->ended, task_key(emu, id)))
		task = gone(emu, id);
	else if (task == NULL && emu->incomplete)
		task = infer_task(emu, id, parallel);
	else if (task == NULL)
		emu_finding(emu, FINDING_ERROR,
			"unknown task %u: no event creates it", id);
	return id == 0 ? NULL : task;
}

static struct task *
add_body(struct emu *emu, struct thread *th, const struct task *task,
	uint32_t body)
{
	struct task_body *b;

	if (emu->body_pool.arena == NULL)
		pool_init(&emu->body_pool, emu->arena, sizeof *b);
	b = pool_get(&emu->body_pool);
	b->task.id = task_body_key(task->id, body);
	b->task.slot = task->slot | TASK_BODY;
	b->task.type = task->type;
	b->of = task->id;
	b->body = body;
	task_table_add(&th->process->tasks, &b->task);
	return &b->task;
}

/* Returns a substitute for a body that has ended: only its id is kept. */
static struct task *
gone_body(struct emu *emu, const struct task *task, uint32_t body)
{
	struct task_body *b = &emu->gone_body;

	*b = (struct task_body){
		.task = *gone(emu, 0), .of = task->id, .body = body
	};
	b->task.slot = task->slot | TASK_BODY;
	return &b->task;
}

/* Returns a body of a parallel task, or NULL with a finding. */
static struct task *
body_of(struct emu *emu, const struct task *task, uint32_t body, bool starts)
{
	struct task *found = body == 0
		? NULL
		: task_table_body(&emu->thread->process->tasks, task->slot,
			  task->id, body);

	if (found != NULL)
		return found;
	if (task_ended_has(&emu->thread->process->ended_bodies, task, body))
		return gone_body(emu, task, body);
	if (body != 0 && (starts || emu->incomplete))
		return add_body(emu, emu->thread, task, body);
	emu_finding(emu, FINDING_ERROR,
		body == 0 ? "task %u is parallel: the id of a body cannot be %u"
			  : "task %u has no body %u: no event executes it",
		task->id, body);
	return NULL;
}

/* Does the same as named(), if the model's tasks have bodies. */
static struct task *__attribute__((noinline))
named_body(struct emu *emu, bool starts)
{
	uint32_t body = emu_arg_u32(emu, BODY_ID);
	struct task *task = named_task(emu, body != 0);

	if (task == NULL)
		return NULL;
	if (task->parallel)
		return body_of(emu, task, body, starts);
	if (body == 0)
		return task;
	emu_finding(emu, FINDING_ERROR,
		"task %u is not parallel: the id of its body is %u, not 0",
		task->id, body);
	return NULL;
}

/* Returns what the event names: the body of a parallel task, else the task; or
 * NULL with a finding. starts: the event begins it. */
static inline struct task *
named(struct emu *emu, bool starts)
{
	if (__builtin_expect(def_of(emu)->bodies, 0))
		return named_body(emu, starts);
	return named_task(emu, false);
}

/* The task of another thread whose body this thread helps to run. */
struct helped {
	const struct task_type *type;
	const struct task *over; /* the thread's own top task when it began to
	                          * help */
	uint32_t id;
	uint16_t slot; /* index of the model */
	bool now;
};

/* Shows the program and the body of a task; only models with bodies have
 * them. */
static void __attribute__((noinline))
show_body(struct emu *emu, struct thread *th, int64_t app, int64_t body)
{
	const struct task_def *def = def_of(emu);

	if (def->app != TASK_NO_CHAN)
		emu_set_of(emu, &th->has, chan_of(emu, def->app), app);
	emu_set_of(emu, &th->has, chan_of(emu, def->body_id), body);
}

/* Shows the rank, from 1 on, or VALUE_NONE or VALUE_LOST. A process without a
 * rank shows nothing, also after lost events. */
static inline void
show_rank(struct emu *emu, struct thread *th, int64_t rank)
{
	int chan = chan_of(emu, def_of(emu)->rank);

	if (th->process->rank >= 0)
		emu_set_of(emu, &th->has, chan, rank);
	else if (th->has.chan[chan].value == VALUE_LOST && rank != VALUE_LOST)
		emu_set_of(emu, &th->has, chan, VALUE_NONE);
}

/* Shows a task, or its absence: VALUE_NONE or VALUE_LOST in place of all. */
static inline void
show(struct emu *emu, struct thread *th, int64_t id, int64_t type, int64_t body)
{
	const struct task_def *def = def_of(emu);
	const struct process *p = th->process;
	bool none = id == VALUE_NONE || id == VALUE_LOST;

	if (th->has.chan[chan_of(emu, def->id)].value == id)
		return;
	emu_set_of(emu, &th->has, chan_of(emu, def->id), id);
	emu_set_of(emu, &th->has, chan_of(emu, def->type), type);
	if (def->rank != TASK_NO_CHAN)
		show_rank(emu, th, none ? id : p->rank + 1);
	if (__builtin_expect(def->bodies, 0))
		show_body(emu, th, none ? id : p->app_id, body);
}

/* Shows the task that the thread runs: its own, or the one that it helps with,
 * whichever it began last. */
void
task_show(struct emu *emu, struct thread *th)
{
	const struct helped *helped = th->helped;
	const struct task *top = *top_of(emu, th);
	int64_t id, type, body = 1;

	if (def_of(emu)->stacks)
		return;
	if (helped != NULL && helped->now &&
		helped->slot == emu->binding->slot && helped->over == top) {
		id = helped->id;
		type = helped->type->gid;
	} else if (top != NULL && top->body == BODY_RUNNING) {
		id = task_name(top).task;
		body = task_name(top).body;
		type = top->type->gid;
	} else {
		id = type = body =
			top == NULL && th->tasks_lost ? VALUE_LOST : VALUE_NONE;
	}
	show(emu, th, id, type, body);
}

static bool
may_execute(struct emu *emu, const struct task *task)
{
	const struct task *top = *top_of(emu, emu->thread);
	bool nests = top != NULL && top->body == BODY_RUNNING;
	bool ready = task->body == BODY_CREATED ||
		(task->body == BODY_DEAD && runs_again(emu, task));

	if (ready && !(nests && !def_of(emu)->nests)) {
		if (__builtin_expect(nests && emu->strict, 0))
			task_warn_nested(emu, task, top);
		return true;
	}
	task_refuse_execute(emu, task, top, ready);
	return false;
}

/* Pushes the values of a task on the stack channels that show tasks. */
static void
enter(struct emu *emu, const struct task *task)
{
	const struct task_def *def = def_of(emu);

	if (def->stacks) {
		emu_push(emu, chan_of(emu, def->id), task_name(task).task);
		emu_push(emu, chan_of(emu, def->type), task->type->gid);
	}
	if (def->section != TASK_NO_CHAN)
		emu_push(emu, chan_of(emu, def->section), def->body);
}

static void
leave(struct emu *emu, const struct task *task)
{
	const struct task_def *def = def_of(emu);

	if (def->stacks) {
		emu_pop(emu, chan_of(emu, def->id), task_name(task).task);
		emu_pop(emu, chan_of(emu, def->type), task->type->gid);
	}
	if (def->section != TASK_NO_CHAN)
		emu_pop(emu, chan_of(emu, def->section), def->body);
}

void
task_execute(struct emu *emu, const struct event *ev)
{
	struct task *task = named(emu, true);

	(void)ev;
	if (task == NULL || !may_execute(emu, task))
		return;
	task->body = BODY_RUNNING;
	task->below = *top_of(emu, emu->thread);
	*top_of(emu, emu->thread) = task;
	task_show(emu, emu->thread);
	enter(emu, task);
}

/* Returns true if the event that began the task may be lost in a gap. */
static bool
is_unseen(const struct emu *emu, const struct task *task)
{
	return emu->thread->tasks_lost && *top_of(emu, emu->thread) == NULL &&
		(task->body != BODY_DEAD || runs_again(emu, task));
}

/* The event shows that the thread has been in this task since the gap. */
static void
find_unseen(struct emu *emu, struct task *task, enum body body)
{
	struct task_name name = task_name(task);

	gap_note_task(emu, emu->thread, name.task,
		task->slot & TASK_BODY ? name.body : 0);
	task->body = (uint8_t)body;
	task->below = NULL;
	*top_of(emu, emu->thread) = task;
}

/* Returns the task of the event, if it is on top of this thread's stack and in
 * that state; else NULL. */
static struct task *
top_in(struct emu *emu, enum body body, const char *verb)
{
	struct task *task = named(emu, false);
	uint32_t id;

	if (task == NULL)
		return NULL;
	id = task_name(task).task;
	if (task->body != body && emu->thread->late &&
		*top_of(emu, emu->thread) == NULL)
		return NULL; /* it began before the first event */
	if (is_unseen(emu, task))
		find_unseen(emu, task, body);
	if (task->body != body) {
		emu_finding(emu, FINDING_ERROR,
			"task %u%s cannot be %s: it is %s, not %s", id,
			task_body_text(emu, task), verb,
			task_body_state[task->body], task_body_state[body]);
		return NULL;
	}
	if (task != *top_of(emu, emu->thread)) {
		emu_finding(emu, FINDING_ERROR,
			"task %u%s cannot be %s here: it is not on top of the "
			"tasks of this thread",
			id, task_body_text(emu, task), verb);
		return NULL;
	}
	return task;
}

/* Frees a body that has ended; its id is kept. */
static void
forget_body(struct emu *emu, struct task *task)
{
	struct task_table *tasks = &emu->thread->process->tasks;
	struct task_name name = task_name(task);
	struct task *of = task_table_get(
		tasks, (uint16_t)(task->slot & ~TASK_BODY), name.task);

	if (of == NULL)
		return;
	task_ended_add(&emu->thread->process->ended_bodies, of, name.body);
	task_table_remove(tasks, task);
	pool_put(&emu->body_pool, task);
}

/* Frees a task that cannot run again; its id is kept. */
static void
forget(struct emu *emu, struct task *task)
{
	struct process *p = emu->thread->process;

	if ((task->slot & TASK_BODY) != 0) {
		forget_body(emu, task);
		return;
	}
	if (runs_again(emu, task))
		return;
	idset_add(&p->ended, task_key(emu, task->id));
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
	leave(emu, task);
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
	if ((task->slot & TASK_BODY) != 0) {
		task_refuse_pause(emu, task);
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
		task = named(emu, false);
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
task_enter(struct emu *emu, struct thread *th, uint64_t named)
{
	uint32_t id = (uint32_t)named, body = (uint32_t)(named >> 32);
	struct task *task = find(emu, th, id), *of;

	if (task == NULL) { /* the event that created the task is lost, too */
		task = add_task(
			emu, th, id, task_type_unknown(emu, th, MEND_TYPE));
		task->inferred = true;
		task->parallel = body != 0;
	}
	if (body != 0) {
		of = task;
		task = task_table_body(
			&th->process->tasks, of->slot, of->id, body);
		if (task == NULL)
			task = add_body(emu, th, of, body);
	}
	if (task->parallel)
		return; /* only its bodies run */
	task->body = BODY_RUNNING;
	task->below = *top_of(emu, th);
	*top_of(emu, th) = task;
}
