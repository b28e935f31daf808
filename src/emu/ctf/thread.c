/* SPDX-License-Identifier: MIT */
#include "emu/ctf/thread.h"

#include <string.h>

#include "base/arena.h"
#include "emu/add.h"
#include "emu/change.h"
#include "emu/ctf/context.h"
#include "emu/ctf/ctf.h"
#include "emu/ctf/entry_point.h"
#include "emu/ctf/kernel.h"
#include "emu/ctf/task.h"
#include "emu/placement.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

enum { TID };

static struct process *
process_of(const struct emu *emu)
{
	return emu->system.process_of[emu->event->stream];
}

/* Adds a thread. kind is "TH" (worker), "LT" (leader) or "ET" (external). */
static struct thread *
add_thread(struct emu *emu, int64_t tid, const char *kind)
{
	struct thread *th = emu_add_thread(
		emu, process_of(emu), tid, ctf_thread_name(emu, kind, tid));
	int64_t n = ++ctf_of(emu)->nthreads;
	int chan = ctf_chan(emu, ctf_chans.tid);

	th->worker = ARENA_NEW(emu->arena, struct worker);
	emu_set_of(emu, &th->has, chan, n);
	view_label(emu, chan, n,
		arena_printf(emu->arena, "thread %lld", (long long)tid));
	return th;
}

/* Returns the thread that the event names, in its process. */
static struct thread *
named(struct emu *emu)
{
	return system_thread(process_of(emu), emu_arg(emu, TID));
}

/* Adds a worker, which starts in the section of the runtime. */
static struct thread *
add_worker(struct emu *emu)
{
	struct thread *th = add_thread(emu, emu_arg(emu, TID), "TH");

	emu_push_of(emu, &th->has, ctf_chan(emu, ctf_chans.subsystem),
		ctf_chans.runtime);
	return th;
}

void
ctf_thread_create(struct emu *emu, const struct event *ev)
{
	(void)ev;
	if (named(emu) == NULL)
		add_worker(emu);
	else
		emu_finding(emu, FINDING_WARNING, "the thread exists already");
}

static void
set_blocked(struct emu *emu, struct thread *th, bool blocked)
{
	struct holder *own = process_of(emu)->own;
	int chan = ctf_chan(emu, ctf_chans.blocked_threads);
	int64_t n;

	if (th->worker->blocked == blocked)
		return;
	th->worker->blocked = blocked;
	if (own == NULL || own->chan[chan].lost)
		return;
	n = own->chan[chan].value;
	emu_set_of(
		emu, own, chan, (n == VALUE_NONE ? 0 : n) + (blocked ? 1 : -1));
}

/* Marks the thread's tasks: they may have been unblocked while it was away. */
static void
part(struct thread *th)
{
	for (int i = 0; i < th->worker->frames.n; i++)
		th->worker->frames.at[i].parted = true;
}

void
ctf_thread_resume(struct emu *emu, const struct event *ev)
{
	struct thread *before = emu->thread, *th = named(emu);
	struct cpu *cpu = before->cpu;

	if (th == NULL)
		th = add_worker(emu);
	if (th->worker == NULL || cpu == NULL || cpu->nobody == NULL)
		return;
	if (before != cpu->nobody && before != th) {
		emu_finding(emu, FINDING_WARNING,
			"thread %lld was not suspended: it is treated as "
			"suspended now",
			(long long)before->tid);
		placement_set(emu, before, THREAD_PAUSED, cpu);
	}
	emu->system.of_stream[ev->stream] = th;
	placement_set(emu, th, THREAD_RUNNING, cpu);
	set_blocked(emu, th, false);
	ctf_task_resume(emu, th);
}

/* Takes the worker off its CPU. */
static struct thread *
leave(struct emu *emu, const struct event *ev, enum thread_state state)
{
	struct thread *th = named(emu);

	if (th == NULL || th->worker == NULL) {
		emu_finding(emu, FINDING_WARNING,
			"no earlier event created this thread");
		return NULL;
	}
	if (emu->thread == th && th->cpu != NULL)
		emu->system.of_stream[ev->stream] = th->cpu->nobody;
	placement_set(emu, th, state, state == THREAD_DEAD ? NULL : th->cpu);
	part(th);
	return th;
}

void
ctf_thread_suspend(struct emu *emu, const struct event *ev)
{
	struct thread *th = leave(emu, ev, THREAD_PAUSED);

	if (th != NULL)
		set_blocked(emu, th, true);
}

void
ctf_thread_shutdown(struct emu *emu, const struct event *ev)
{
	struct thread *th = leave(emu, ev, THREAD_DEAD);

	if (th != NULL)
		set_blocked(emu, th, false);
}

/* Returns true for the leader's stream, which is numbered after the CPUs'. */
static bool
is_leader(const struct emu *emu, const struct event *ev)
{
	const struct node *node = process_of(emu)->node;
	int64_t last = -1;

	for (int i = 0; i < emu->system.ncpus; i++)
		if (emu->system.cpus[i].node == node &&
			emu->system.cpus[i].phyid > last)
			last = emu->system.cpus[i].phyid;
	return emu->trace->streams.at[ev->stream].cpu == last + 1;
}

/* Returns the field "tid"; the first one is that of the stream's context. */
static int64_t
tid_of(const struct emu *emu, const struct event *ev)
{
	const struct event_class *c = &emu->trace->classes.at[ev->class];

	for (int i = 0; i < c->nfields && ev->value != NULL; i++)
		if (c->field[i].name != NULL && c->field[i].type <= FIELD_I64 &&
			strcmp(c->field[i].name, "tid") == 0)
			return ev->value[i].i;
	return -1;
}

static struct thread *
known(const struct emu *emu, int64_t tid)
{
	return tid < 0 ? NULL : system_thread(process_of(emu), tid);
}

/* Shows the thread on a virtual CPU of its own, although no event says that it
 * runs. */
static void
place_beside(struct emu *emu, struct thread *th)
{
	if (th->own == NULL)
		th->own = emu_add_cpu(emu, process_of(emu)->node, th->name);
	placement_set(emu, th, THREAD_WARMING, th->own);
}

struct thread *
ctf_sender(struct emu *emu, const struct event *ev)
{
	int64_t tid = tid_of(emu, ev);
	struct thread *th = known(emu, tid);

	if (th != NULL || tid < 0)
		return th;
	th = add_thread(emu, tid, is_leader(emu, ev) ? "LT" : "ET");
	place_beside(emu, th);
	return th;
}

/* Returns true for threads of Nanos6, which tell where they run, and threads on
 * a virtual CPU. */
static bool
is_beside(const struct thread *th)
{
	return th->worker != NULL || (th->cpu != NULL && th->cpu->virtual);
}

static struct thread *
any_sender(struct emu *emu, const struct event *ev)
{
	const struct event_class *class = &emu->trace->classes.at[ev->class];
	int64_t tid = trace_class_field(class, TRACE_CTF_THREAD) < 0
		? -1
		: tid_of(emu, ev);
	struct thread *th = known(emu, tid);

	if (tid < 0 || (th != NULL && is_beside(th)))
		return th;
	if (th == NULL)
		th = emu_add_thread(emu, process_of(emu), tid,
			ctf_thread_name(
				emu, is_leader(emu, ev) ? "LT" : "ET", tid));
	place_beside(emu, th); /* the thread may have been on a CPU before */
	return th;
}

static struct thread *
find_sender(struct emu *emu, const struct event *ev)
{
	const struct model *m = emu->binding->model;

	if (emu->trace->streams.at[ev->stream].has_vtid)
		return context_sender(emu, ev);
	return (m != NULL && m->sender != NULL ? m->sender : any_sender)(
		emu, ev);
}

/* The thread was added at its first event. */
void
ctf_external_create(struct emu *emu, const struct event *ev)
{
	(void)emu;
	(void)ev;
}

void
ctf_external_resume(struct emu *emu, const struct event *ev)
{
	struct thread *th = emu->thread;

	(void)ev;
	if (th->worker == NULL || th->state == THREAD_RUNNING)
		return;
	emu_push(emu, ctf_chan(emu, ctf_chans.subsystem), ctf_chans.runtime);
	placement_set(emu, th, THREAD_RUNNING, th->own);
}

static void
leave_own(struct emu *emu, enum thread_state state)
{
	struct thread *th = emu->thread;

	if (th->worker == NULL)
		return;
	if (th->state == THREAD_RUNNING)
		ctf_leave(emu, ctf_chans.runtime);
	placement_set(emu, th, state, th->own);
}

void
ctf_external_suspend(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave_own(emu, THREAD_PAUSED);
}

void
ctf_external_shutdown(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave_own(emu, THREAD_DEAD);
}

static void
lose_thread(struct emu *emu, struct thread *th)
{
	if (th->worker != NULL) {
		th->worker->frames.n = 0;
		th->worker->lost = true;
	}
	if (emu->ctf != NULL && emu->ctf->points != NULL)
		entry_point_lose(emu->ctf->points, th);
}

static void
lose_cpu(struct emu *emu, const struct cpu *cpu)
{
	if (emu->ctf != NULL && emu->ctf->kernel != NULL)
		kernel_lose(emu->ctf->kernel, (uint32_t)cpu->index);
}

void
ctf_fini(struct emu *emu)
{
	struct ctf *c = emu->ctf;

	if (c == NULL)
		return;
	map_fini(&c->assigned);
	entry_point_fini(c->points);
	map_fini(&c->labels.text);
	map_fini(&c->sources.text);
	if (c->kernel != NULL)
		kernel_fini(c->kernel);
}

const struct tellers ctf_tellers = {
	.sender = find_sender,
	.process = context_process,
	.has_switches = context_has_switches,
	.lose_thread = lose_thread,
	.lose_cpu = lose_cpu,
};
