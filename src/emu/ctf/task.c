/* SPDX-License-Identifier: MIT */
#include "emu/ctf/task.h"

#include "base/pool.h"
#include "emu/change.h"
#include "emu/ctf/ctf.h"
#include "emu/ctf/label.h"
#include "emu/say.h"
#include "emu/state.h"

static struct process *
process_of(const struct emu *emu)
{
	return emu->system.process_of[emu->event->stream];
}

void
ctf_task_create(struct emu *emu, const struct event *ev)
{
	struct process *p = process_of(emu);
	uint32_t id = emu_arg_u32(emu, 0);
	struct task *task = task_table_get(&p->tasks, 0, id);

	(void)ev;
	if (task == NULL) {
		if (emu->task_pool.arena == NULL)
			pool_init(&emu->task_pool, emu->arena, sizeof *task);
		task = pool_get(&emu->task_pool);
		task->id = id;
		task_table_add(&p->tasks, task);
	}
	task->type = ctf_type(emu, emu_arg_u32(emu, 1));
}

void
ctf_task_for(struct emu *emu, const struct event *ev)
{
	(void)ev;
	ctf_type(emu, emu_arg_u32(emu, 0))->many = true;
}

/* Returns the task that the thread began last, or NULL. */
static struct frame *
top_of(struct thread *th)
{
	struct worker *w = th->worker;

	return w == NULL || w->frames.n == 0 ? NULL
					     : &w->frames.at[w->frames.n - 1];
}

static int64_t
or_none(uint32_t value)
{
	return value == 0 ? VALUE_NONE : value;
}

/* Shows no task, or a lost one if its begin may have been lost. */
static void
show_nothing(struct emu *emu)
{
	const int chans[] = { ctf_chans.id, ctf_chans.label, ctf_chans.source };

	for (int i = 0; i < 3; i++)
		emu_set(emu, ctf_chan(emu, chans[i]),
			emu->thread->worker->lost ? VALUE_LOST : VALUE_NONE);
}

static void
show(struct emu *emu)
{
	const struct frame *f = top_of(emu->thread);
	bool runs = f != NULL && !f->blocked;
	const struct task_type *type = runs ? f->type : NULL;

	if (f == NULL) {
		show_nothing(emu);
		return;
	}
	emu_set(emu, ctf_chan(emu, ctf_chans.id),
		runs ? or_none(f->id) : VALUE_NONE);
	emu_set(emu, ctf_chan(emu, ctf_chans.label),
		type != NULL ? or_none(type->gid) : VALUE_NONE);
	emu_set(emu, ctf_chan(emu, ctf_chans.source),
		type != NULL ? or_none(type->source) : VALUE_NONE);
}

/* Decrements the count of ready tasks. Tasks that ran without a "ready" event
 * were never counted. */
static void
take_ready(struct emu *emu)
{
	struct holder *own = process_of(emu)->own;
	int chan = ctf_chan(emu, ctf_chans.ready);
	int64_t n = own == NULL ? VALUE_NONE : own->chan[chan].value;

	if (n != VALUE_NONE && n > 0)
		emu_set_of(emu, own, chan, n - 1);
}

/* Counts the thread's task as no longer ready, unless it is still blocked. */
void
ctf_task_resume(struct emu *emu, struct thread *th)
{
	const struct frame *f = top_of(th);

	if (f != NULL && !f->blocked && f->parted)
		take_ready(emu);
}

/* Returns false with a finding if the thread on the CPU is not known. */
static bool
has_worker(struct emu *emu)
{
	if (emu->thread->worker != NULL)
		return true;
	emu_finding(emu, FINDING_WARNING,
		"no event says which thread this is: its task is not shown");
	return false;
}

void
ctf_task_start(struct emu *emu, const struct event *ev)
{
	uint32_t id = emu_arg_u32(emu, 0);
	struct task *task = task_table_get(&process_of(emu)->tasks, 0, id);
	struct frame frame = { .id = id };

	(void)ev;
	if (!has_worker(emu))
		return;
	if (task != NULL)
		frame.type = task->type;
	/* A task that runs inside another one was never in the scheduler. */
	if (emu->thread->worker->frames.n == 0)
		take_ready(emu);
	VEC_PUSH(&emu->thread->worker->frames, emu->arena, frame);
	emu_push(emu, ctf_chan(emu, ctf_chans.subsystem), ctf_chans.task);
	show(emu);
}

static struct frame *
top_with_finding(struct emu *emu)
{
	struct frame *f;

	if (!has_worker(emu))
		return NULL;
	f = top_of(emu->thread);
	if (f == NULL && !emu->thread->worker->lost)
		emu_finding(emu, FINDING_WARNING,
			"the thread has begun no task: the event is ignored");
	return f;
}

void
ctf_task_calls(struct emu *emu, const struct event *ev)
{
	(void)ev;
	if (emu->thread->worker != NULL && top_of(emu->thread) == NULL &&
		!emu->thread->worker->lost)
		emu_finding(emu, FINDING_ERROR,
			"a call from task context, but the thread runs no "
			"task");
}

void
ctf_task_block(struct emu *emu, const struct event *ev)
{
	struct frame *f = top_with_finding(emu);

	(void)ev;
	if (f == NULL)
		return;
	f->blocked = true;
	f->parted = false;
	show(emu);
}

void
ctf_task_unblock(struct emu *emu, const struct event *ev)
{
	struct frame *f = top_with_finding(emu);

	(void)ev;
	if (f == NULL)
		return;
	f->blocked = false;
	if (f->parted)
		take_ready(emu);
	show(emu);
}

void
ctf_task_forget(struct emu *emu, uint32_t id)
{
	struct task_table *tasks = &process_of(emu)->tasks;
	struct task *task = task_table_get(tasks, 0, id);

	if (task == NULL || task->type->many)
		return;
	task_table_remove(tasks, task);
	pool_put(&emu->task_pool, task);
}

void
ctf_task_end(struct emu *emu, const struct event *ev)
{
	struct frame *f = top_with_finding(emu);

	(void)ev;
	if (f == NULL && emu->thread->worker != NULL &&
		emu->thread->worker->lost)
		ctf_leave(emu, ctf_chans.task);
	if (f == NULL)
		return;
	ctf_task_forget(emu, f->id);
	emu->thread->worker->frames.n--;
	ctf_leave(emu, ctf_chans.task);
	show(emu);
}
