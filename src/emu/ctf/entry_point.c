/* SPDX-License-Identifier: MIT */
#include "emu/ctf/entry_point.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/map.h"
#include "emu/add.h"
#include "emu/change.h"
#include "emu/ctf/ctf.h"
#include "emu/ctf/declared_row.h"
#include "emu/ctf/label.h"
#include "emu/ctf/task.h"
#include "emu/gap.h"
#include "emu/placement.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

enum { ID, TYPE }; /* arguments */

#define DEPTH 4096
#define NONE (-1)

/* A call or a task that a thread is in. */
struct open {
	const struct declared_row *row;
	uint32_t class, stream; /* of the event that began it */
	int64_t offset, time;
	int64_t id;                   /* id of a task; or VALUE_NONE */
	const struct task_type *type; /* or NULL */
	int task;                     /* index of the innermost task, which
	                               * may be this entry; or NONE */
	uint8_t context; /* for a call: the context of the outermost call */
	bool is_task, is_blocked, is_tc;
};

/* The open calls and tasks of a thread, or of a CPU whose threads the trace
 * does not tell; the innermost is the last. */
struct context {
	VEC(struct open) open;
	struct thread *thread; /* thread whose rows show them */
	bool lost;             /* begins of open calls or tasks may be lost */
};

/* The CPU of a stream. */
struct seat {
	struct cpu *cpu;
	const char *name;      /* "Worker 0.3" */
	struct thread *worker; /* stands for all threads that events do not
	                        * name; or NULL */
};

struct entry_points {
	VEC(struct context *) all;
	struct map threads; /* (process, model, tid) */
	struct map streams; /* (stream, model) */
	struct map seats;   /* by stream */
};

static struct entry_points *
points_of(struct emu *emu)
{
	struct ctf *c = ctf_of(emu);

	if (c->points == NULL)
		c->points = ARENA_NEW(emu->arena, struct entry_points);
	return c->points;
}

static struct context *
get(struct emu *emu, struct map *in, uint64_t key)
{
	uint64_t *at = map_put(in, key);
	struct context *c;

	if (*at != 0)
		return (struct context *)(uintptr_t)*at;
	c = ARENA_NEW(emu->arena, struct context);
	*at = (uint64_t)(uintptr_t)c;
	VEC_PUSH(&points_of(emu)->all, emu->arena, c);
	return c;
}

/* Returns true if another process uses the same CPU number: processes of a node
 * may all count their CPUs from 0. */
static bool
is_shared(const struct emu *emu, const struct cpu *cpu)
{
	const struct process *p,
		*self = emu->system.process_of[emu->event->stream];

	for (int i = 0; i < emu->trace->streams.n; i++) {
		const struct stream *s = &emu->trace->streams.at[i];

		p = emu->system.process_of[i];
		if (p != NULL && p != self && p->node == cpu->node &&
			s->cpu == cpu->phyid && !s->by_thread)
			return true;
	}
	return false;
}

/* Returns the CPU, or an own one for the process if several processes use its
 * number. */
static struct cpu *
cpu_of(struct emu *emu, struct cpu *cpu)
{
	const struct process *p = emu->system.process_of[emu->event->stream];

	if (!is_shared(emu, cpu))
		return cpu;
	return emu_add_cpu(emu, cpu->node,
		arena_printf(emu->arena, "%s of %s %lld", cpu->name,
			p->rank < 0 ? "process" : "rank",
			(long long)(p->rank < 0 ? p->pid : p->rank)));
}

static struct seat *
seat_of(struct emu *emu)
{
	uint64_t *at = map_put(&points_of(emu)->seats, emu->event->stream);
	struct seat *s = (struct seat *)(uintptr_t)*at;

	if (s != NULL)
		return s;
	s = ARENA_NEW(emu->arena, struct seat);
	s->name = ctf_thread_name(emu, "Worker", emu->thread->cpu->phyid);
	s->cpu = cpu_of(emu, emu->thread->cpu);
	*at = (uint64_t)(uintptr_t)s;
	return s;
}

/* Returns the thread that stands for whoever is on the CPU; it runs from its
 * first event on. */
static struct thread *
worker_of(struct emu *emu)
{
	struct seat *s = seat_of(emu);

	if (s->worker != NULL)
		return s->worker;
	s->worker = emu_add_thread(
		emu, emu->system.process_of[emu->event->stream], 0, s->name);
	placement_set(emu, s->worker, THREAD_RUNNING, s->cpu);
	return s->worker;
}

/* Returns the context of the event's thread, if the stream tells the thread,
 * else that of the stream. Each model has its own contexts. */
static struct context *
context_of(struct emu *emu)
{
	struct entry_points *p = points_of(emu);
	struct thread *th = emu->thread;
	bool told = th->cpu == NULL || th->cpu->nobody != th;
	uint64_t of = told ? (uint64_t)(th->process - emu->system.processes)
			   : emu->event->stream;
	uint64_t key = of * (uint64_t)emu->enabled.model.n + emu->binding->slot;
	struct context *c = told
		? get(emu, &p->threads, key << 32 | (uint32_t)th->tid)
		: get(emu, &p->streams, key);

	if (c->thread == NULL)
		c->thread = told ? th : worker_of(emu);
	if (c->thread->lost)
		gap_event(emu, c->thread);
	if (!told && c->thread->state == THREAD_UNKNOWN)
		placement_set(
			emu, c->thread, THREAD_RUNNING, seat_of(emu)->cpu);
	return c;
}

static void
pause_on(struct emu *emu, struct thread *th, struct cpu *cpu)
{
	if (th != NULL && th->cpu == cpu && th != cpu->nobody)
		placement_set(emu, th, THREAD_PAUSED, cpu);
}

/* From now on, the CPU's events belong to that thread. */
static void
seat(struct emu *emu, int64_t tid)
{
	struct process *p = emu->system.process_of[emu->event->stream];
	struct thread **now = &emu->system.of_stream[emu->event->stream];
	struct thread *th = system_thread(p, tid);
	struct seat *s = seat_of(emu);

	if (th == NULL)
		th = emu_add_thread(
			emu, p, tid, ctf_thread_name(emu, "TH", tid));
	if (*now != th)
		pause_on(emu, *now, s->cpu);
	pause_on(emu, s->worker, s->cpu);
	placement_set(emu, th, THREAD_RUNNING, s->cpu);
	*now = th;
}

void
entry_point_resume_thread(struct emu *emu, const struct event *ev)
{
	const struct event_class *class = &emu->trace->classes.at[ev->class];
	int field = trace_class_field(class, "tid");

	if (field >= 0 && class->field[field].type <= FIELD_I64 &&
		emu->system.of_stream[ev->stream] != NULL)
		seat(emu, ev->value[field].i);
}

static struct open *
top_of(struct context *c)
{
	return c->open.n == 0 ? NULL : &c->open.at[c->open.n - 1];
}

static bool
is_in_task(struct context *c)
{
	const struct open *top = top_of(c);

	return top != NULL && top->is_task && !top->is_blocked;
}

static void
set(struct emu *emu, const struct context *c, int local, int64_t value)
{
	int chan = ctf_chan(emu, local);

	if (c->thread->has.chan[chan].value != value)
		emu_set_of(emu, &c->thread->has, chan, value);
}

static int64_t
context_value(const struct open *top, bool lost)
{
	if (top == NULL)
		return lost ? VALUE_LOST : VALUE_NONE;
	if (top->is_task)
		return top->is_blocked ? VALUE_NONE : CONTEXT_TASK;
	return top->context;
}

/* Shows the current context, task and type; not the stack of calls. */
static void
show(struct emu *emu, struct context *c)
{
	const struct open *top = top_of(c), *task = NULL;
	int64_t none = top == NULL && c->lost ? VALUE_LOST : VALUE_NONE;
	bool typed;

	if (top != NULL && top->task != NONE)
		task = &c->open.at[top->task];
	if (task != NULL && task->is_blocked)
		task = NULL;
	typed = task != NULL && task->type != NULL && task->type->gid != 0;
	set(emu, c, DECLARED_CONTEXT, context_value(top, c->lost));
	set(emu, c, DECLARED_TASK, task == NULL ? none : task->id);
	set(emu, c, DECLARED_TYPE, typed ? task->type->gid : none);
}

static int64_t
call_value(const struct open *o)
{
	return o->is_task ? CALLS_TASK : o->row->value;
}

static void
push(struct emu *emu, struct context *c, struct open o)
{
	const struct open *top = top_of(c);

	BUG_ON(c->open.at == NULL && c->open.cap > 0);
	if (c->open.n == DEPTH) {
		emu_finding(emu, FINDING_ERROR,
			"more than %d nested calls: this one is left out",
			DEPTH);
		return;
	}
	o.row = declared_row(emu->binding);
	o.class = emu->event->class;
	o.stream = emu->event->stream;
	o.offset = emu->event->offset;
	o.time = emu->now;
	o.task = o.is_task ? c->open.n : top == NULL ? NONE : top->task;
	o.context = top != NULL && !top->is_task ? top->context
		: o.is_tc                        ? CONTEXT_TC
						 : CONTEXT_OC;
	VEC_PUSH(&c->open, emu->arena, o);
	emu_push_of(emu, &c->thread->has, ctf_chan(emu, DECLARED_CALLS),
		call_value(&o));
}

static void
pop(struct emu *emu, struct context *c)
{
	const struct open *o = &c->open.at[--c->open.n];

	emu_pop_of(emu, &c->thread->has, ctf_chan(emu, DECLARED_CALLS),
		call_value(o));
}

/* Returns true if lost events may explain a contradiction: the thread entered
 * all known calls before a gap, or it stands for several threads. */
static bool
is_in_doubt(const struct context *c)
{
	return c->thread->lost || (c->lost && c->open.n == 0);
}

/* Trusts the event, and drops the state that contradicts it. */
static void
believe(struct emu *emu, struct context *c, bool is_task)
{
	while (c->open.n > 0)
		pop(emu, c);
	if (is_task)
		push(emu, c,
			(struct open){ .is_task = true, .id = VALUE_NONE });
}

static void
leave_unseen(struct emu *emu, const struct context *c, int64_t call)
{
	emu_pop_of(emu, &c->thread->has, ctf_chan(emu, DECLARED_CALLS), call);
}

/* Reports a call that was never left, at its enter event. */
static void
never_left(struct emu *emu, const struct open *o,
	enum finding_severity severity, const char *when)
{
	const struct stream *s = &emu->trace->streams.at[o->stream];
	char where[256];

	if (o->is_task)
		return;
	snprintf(where, sizeof where, "event %s",
		emu->trace->classes.at[o->class].name);
	finding_add(emu->findings,
		(struct finding){
			.severity = s->lost.n > 0 ? FINDING_WARNING : severity,
			.file = s->file,
			.where = where,
			.offset = o->offset,
			.time = o->time },
		"\"%s\" is entered here and never left%s", o->row->point, when);
}

/* Ends everything above the first n entries, with a finding for each call. */
static void
cut(struct emu *emu, struct context *c, int n)
{
	while (c->open.n > n) {
		if (!c->thread->lost)
			never_left(emu, top_of(c), FINDING_ERROR,
				", although the call around it is");
		pop(emu, c);
	}
}

/* Enters a call, from a task (tc) or from elsewhere (oc). */
static void
enter(struct emu *emu, bool is_tc)
{
	struct context *c = context_of(emu);
	const char *name = declared_row(emu->binding)->point;

	if (is_tc != is_in_task(c) && is_in_doubt(c)) {
		believe(emu, c, is_tc);
	} else if (is_tc != is_in_task(c)) {
		if (is_tc)
			emu_finding(emu, FINDING_ERROR,
				"\"%s\" is entered from task context (tc), but "
				"no task runs here",
				name);
		else
			emu_finding(emu, FINDING_ERROR,
				"\"%s\" is entered from other context (oc), "
				"but a task runs here",
				name);
	}
	push(emu, c, (struct open){ .is_tc = is_tc });
	show(emu, c);
}

static void
leave(struct emu *emu, bool is_tc)
{
	struct context *c = context_of(emu);
	const struct declared_row *row = declared_row(emu->binding);
	int i = c->open.n;

	/* Stops at a task that began inside the call. */
	while (--i >= 0 && !c->open.at[i].is_task)
		if (c->open.at[i].row->value == row->value)
			break;
	if (i >= 0 && !c->open.at[i].is_task) {
		cut(emu, c, i + 1);
		pop(emu, c);
		show(emu, c);
		return;
	}
	if (is_in_doubt(c)) {
		leave_unseen(emu, c, row->value);
		return;
	}
	emu_finding(emu, FINDING_ERROR,
		"\"%s\" is left, but was not entered in %s context", row->point,
		is_tc ? "task" : "other");
}

void
entry_point_tc_enter(struct emu *emu, const struct event *ev)
{
	(void)ev;
	enter(emu, true);
}

void
entry_point_oc_enter(struct emu *emu, const struct event *ev)
{
	(void)ev;
	enter(emu, false);
}

void
entry_point_tc_exit(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave(emu, true);
}

void
entry_point_oc_exit(struct emu *emu, const struct event *ev)
{
	(void)ev;
	leave(emu, false);
}

/* Returns the type in the event, else that of the task's creation. */
static const struct task_type *
type_of(struct emu *emu, int64_t id)
{
	const struct process *p = emu->system.process_of[emu->event->stream];
	const struct task *task;

	if (bind_has(emu->binding, emu->event, TYPE))
		return ctf_type(emu, emu_arg_u32(emu, TYPE));
	task = task_table_get(&p->tasks, 0, (uint32_t)id);
	return task == NULL ? NULL : task->type;
}

void
entry_point_begin_task(struct emu *emu, const struct event *ev)
{
	struct context *c = context_of(emu);
	struct open o = { .is_task = true, .id = VALUE_NONE };

	if (is_in_task(c) && is_in_doubt(c)) {
		believe(emu, c, false);
	} else if (is_in_task(c)) {
		emu_finding(emu, FINDING_ERROR,
			"a task begins, but the previous one runs and is not "
			"blocked");
	}
	if (bind_has(emu->binding, ev, ID)) {
		o.id = emu_arg(emu, ID);
		o.type = type_of(emu, o.id);
	}
	push(emu, c, o);
	show(emu, c);
}

/* Returns the index of the innermost task; NONE with a finding if there is
 * none. */
static int
find_task(struct emu *emu, struct context *c)
{
	const struct open *top = top_of(c);

	if (top != NULL && top->task != NONE)
		return top->task;
	if (is_in_doubt(c))
		return NONE;
	emu_finding(emu, FINDING_ERROR, "no task runs here");
	return NONE;
}

void
entry_point_end_task(struct emu *emu, const struct event *ev)
{
	struct context *c = context_of(emu);
	int i = find_task(emu, c);

	(void)ev;
	if (i == NONE)
		return;
	cut(emu, c, i + 1);
	if (c->open.at[i].is_blocked && !c->thread->lost)
		emu_finding(
			emu, FINDING_ERROR, "the task ends, but it is blocked");
	if (c->open.at[i].id != VALUE_NONE)
		ctf_task_forget(emu, (uint32_t)c->open.at[i].id);
	pop(emu, c);
	show(emu, c);
}

static void
set_blocked(struct emu *emu, bool is_blocked)
{
	struct context *c = context_of(emu);
	int i = find_task(emu, c);

	if (i == NONE)
		return;
	if (c->open.at[i].is_blocked == is_blocked && !c->thread->lost)
		emu_finding(emu, FINDING_ERROR, "the task is %s",
			is_blocked ? "blocked already" : "not blocked");
	c->open.at[i].is_blocked = is_blocked;
	show(emu, c);
}

void
entry_point_block_task(struct emu *emu, const struct event *ev)
{
	(void)ev;
	set_blocked(emu, true);
}

void
entry_point_unblock_task(struct emu *emu, const struct event *ev)
{
	(void)ev;
	set_blocked(emu, false);
}

void
entry_point_moment(struct emu *emu, const struct event *ev)
{
	(void)ev;
	view_point(emu, &context_of(emu)->thread->has,
		ctf_chan(emu, DECLARED_EVENT),
		declared_row(emu->binding)->value);
}

void
entry_point_label(struct emu *emu, const struct event *ev)
{
	ctf_label_type(emu, ev, DECLARED_TYPE);
}

/* Returns true if the process was killed: the recorder writes "end_ts" at the
 * end. */
static bool
was_killed(const struct emu *emu, uint32_t stream)
{
	const struct trace_part *part = emu->trace->streams.at[stream].part;
	const struct trace_env *end =
		part == NULL ? NULL : trace_env(part, "end_ts");

	return end != NULL && end->number == 0;
}

void
entry_point_check_ends(struct emu *emu)
{
	const struct entry_points *p =
		emu->ctf == NULL ? NULL : emu->ctf->points;

	for (int i = 0; p != NULL && emu->complete && i < p->all.n; i++) {
		const struct context *c = p->all.at[i];

		for (int j = c->open.n - 1; j >= 0; j--)
			if (!was_killed(emu, c->open.at[j].stream))
				never_left(emu, &c->open.at[j], FINDING_WARNING,
					"");
	}
}

void
entry_point_lose(struct entry_points *p, const struct thread *th)
{
	for (int i = 0; i < p->all.n; i++)
		if (p->all.at[i]->thread == th) {
			p->all.at[i]->open.n = 0;
			p->all.at[i]->lost = true;
		}
}

void
entry_point_fini(struct entry_points *p)
{
	if (p == NULL)
		return;
	map_fini(&p->threads);
	map_fini(&p->streams);
	map_fini(&p->seats);
}
