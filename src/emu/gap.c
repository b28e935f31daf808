/* SPDX-License-Identifier: MIT */
#include "emu/gap.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "emu/away.h"
#include "emu/change.h"
#include "emu/gap_notes.h"
#include "emu/placement.h"
#include "emu/regain.h"
#include "emu/showing.h"
#include "emu/state.h"
#include "emu/task.h"
#include "emu/view.h"
#include "trace/clock.h"

/* How far the losses of a stream have been handled. */
struct gap_stream {
	int begun;      /* gaps handled so far */
	bool is_queued; /* the next gap is in the heap */
};

struct gaps {
	struct heap next; /* the clock at which a gap begins, or ends (IS_END);
	                   * the value is the stream */
	struct gap_stream *stream;
	bool labelled;
};

#define IS_END (UINT64_C(1) << 63)

/* Returns the corrected time of a clock in a stream's losses. */
static int64_t
corrected(const struct trace *t, const struct stream *s, int64_t clock)
{
	return clock_time(trace_node_of(t, s->thread), clock);
}

/* Queues the next gap of a stream. Its gaps are queued one at a time. */
static void
queue_next(struct emu *emu, int stream)
{
	const struct stream *s = &emu->trace->streams.at[stream];
	struct gap_stream *g = &emu->gaps->stream[stream];

	g->is_queued = g->begun < s->lost.n;
	if (!g->is_queued)
		return;
	heap_push(&emu->gaps->next,
		corrected(emu->trace, s, s->lost.at[g->begun].from),
		(uint64_t)stream);
}

/* In streams of CPUs, gaps become known only while events are read. */
static void
set_next(struct emu *emu)
{
	const struct heap *next = &emu->gaps->next;

	if (emu->trace->by_cpu && !emu->strict)
		emu->gap_at = INT64_MIN;
	else
		emu->gap_at = next->n == 0 ? INT64_MAX : heap_top(next)->key;
}

static void
look_for_new(struct emu *emu)
{
	const struct trace *t = emu->trace;

	emu->gaps_known = t->nlost;
	emu->incomplete = emu->incomplete || t->nlost > 0;
	for (int i = 0; i < t->streams.n; i++)
		if (!emu->gaps->stream[i].is_queued)
			queue_next(emu, i);
	set_next(emu);
}

void
gap_fini(struct emu *emu)
{
	if (emu->gaps != NULL)
		heap_fini(&emu->gaps->next);
}

/* Labels lost events in all types, at the first gap. */
static void
label_all(struct emu *emu)
{
	static const char text[] = "Lost events";

	if (emu->gaps->labelled)
		return;
	emu->gaps->labelled = true;
	view_label_all(emu, VALUE_LOST, text, MEANS_LOST);
}

static void
lose_chan(struct emu *emu, struct holder *of, int chan)
{
	const struct chan_def *def = emu->chans.at[chan].def;
	struct chan *ch = &of->chan[chan];

	ch->depth = 0;
	ch->lost = gap_value(def) == VALUE_LOST ? CHAN_LOST : CHAN_LOST_BARE;
	ch->value = chan_floor(ch);
	emu_touch_of(emu, of, chan);
}

/* Forgets all states of the thread. */
static void
lose_states(struct emu *emu, struct thread *th)
{
	for (int i = 0; i < emu->chans.n; i++)
		if (emu->chans.at[i].def->of == CHAN_OF_THREAD)
			lose_chan(emu, &th->has, i);
	for (int i = 0; i < emu->system.nmodels; i++)
		th->task[i] = NULL;
	task_lose(th);
	away_look(emu, &th->has);
	emu->tellers->lose_thread(emu, th);
	th->burst = NULL;
}

static void
look_again(struct emu *emu, struct thread *th)
{
	th->changed = true;
	VEC_PUSH(&emu->changed_threads, emu->arena, th);
}

/* Starts a gap of the thread. Its CPU may still run it, or another thread. */
static void
lose_thread(struct emu *emu, struct thread *th, int64_t until)
{
	struct cpu *cpu = th->cpu;
	bool ran = (th->active & ACTIVE_RUNNING) != 0;

	if (th->state == THREAD_DEAD && th->own == NULL)
		cpu = NULL;
	placement_set(emu, th, THREAD_UNKNOWN, NULL);
	if (cpu != NULL && !cpu->virtual && ran && cpu->running.n == 0) {
		cpu->lost = th;
		th->lost_cpu = cpu;
	}
	th->moved_to = NULL;
	th->lost = true;
	th->lost_inside = false;
	th->lost_until = until;
	th->ngaps++;
	lose_states(emu, th);
	look_again(emu, th);
}

static void
tell_gap(struct emu *emu, uint32_t row, const struct trace_lost *l, int64_t to)
{
	int64_t end;

	if (__builtin_sub_overflow(to, emu->start, &end) || end < emu->now)
		end = emu->now;
	sink_gap(emu->sink,
		&(struct gap){ .from = emu->now,
			.to = end,
			.row = row,
			.events = (uint64_t)l->count,
			.why = "events were lost" });
}

/* Forgets the channels of a CPU or process. */
static void
lose_own(struct emu *emu, struct holder *own, enum chan_owner of)
{
	for (int i = 0; i < emu->chans.n && own != NULL; i++)
		if (emu->chans.at[i].def->of == of)
			lose_chan(emu, own, i);
}

/* Starts a gap of a CPU: which threads run there, and what the process counted,
 * is unknown. */
static void
lose_cpu_stream(
	struct emu *emu, int stream, const struct trace_lost *l, int64_t to)
{
	struct thread **of = &emu->system.of_stream[stream];
	struct process *p = emu->system.process_of[stream];
	struct cpu *cpu = (*of)->cpu;

	if (cpu == NULL || cpu->nobody == NULL)
		return;
	tell_gap(emu, cpu->row, l, to);
	emu->tellers->lose_cpu(emu, cpu);
	for (int i = 0; i < emu->system.added.n; i++) {
		struct thread *th = emu->system.added.at[i];

		if (th->cpu != cpu || (th->active & ACTIVE_ACTIVE) == 0)
			continue;
		tell_gap(emu, th->has.row, l, to);
		lose_thread(emu, th, to);
	}
	*of = cpu->nobody;
	lose_own(emu, cpu->own, CHAN_OF_CPU);
	if (p != NULL)
		lose_own(emu, p->own, CHAN_OF_PROCESS);
}

/* Starts a gap in a stream of threads without a CPU, which may concern any of
 * them. */
static void
lose_beside(struct emu *emu, int stream, const struct trace_lost *l, int64_t to)
{
	const struct process *p = emu->system.process_of[stream];

	for (int i = 0; i < emu->system.added.n; i++) {
		struct thread *th = emu->system.added.at[i];

		if (th->process != p || th->own == NULL)
			continue;
		tell_gap(emu, th->has.row, l, to);
		lose_thread(emu, th, to);
	}
}

/* Forgets the counters of all processes of the stream's node. */
static void
lose_processes(struct emu *emu, const struct process *of)
{
	struct system *sys = &emu->system;

	for (int i = 0; i < sys->nprocesses; i++)
		if (sys->processes[i].node == of->node)
			lose_own(emu, sys->processes[i].own, CHAN_OF_PROCESS);
	for (int i = 0; i < sys->told.n; i++)
		if (sys->told.at[i]->node == of->node)
			lose_own(emu, sys->told.at[i]->own, CHAN_OF_PROCESS);
}

/* Reports the gap of a thread for its CPU as well, because the CPU's row shows
 * the thread. */
static void
tell_cpu_gap(struct emu *emu, struct cpu *cpu, const struct trace_lost *l,
	int64_t to)
{
	if (cpu->lost_until >= to)
		return;
	cpu->lost_until = to;
	tell_gap(emu, cpu->row, l, to);
}

/* Starts a gap of a thread that events named: its CPU and its states are
 * unknown. */
static void
lose_met(struct emu *emu, struct thread *th, const struct trace_lost *l,
	int64_t to)
{
	bool longer = th->lost && th->lost_until > to;

	tell_gap(emu, th->has.row, l, to);
	if (th->cpu != NULL)
		tell_cpu_gap(emu, th->cpu, l, to);
	lose_thread(emu, th, longer ? th->lost_until : to);
}

/* Marks the CPU as one that may run a thread, until an event shows a thread
 * there. */
static void
lose_place(struct emu *emu, struct cpu *cpu)
{
	if (cpu->running.n > 0)
		return;
	cpu->lost = cpu->nobody != NULL ? cpu->nobody : emu->system.added.at[0];
	cpu->running.changed = cpu->active.changed = true;
	emu_touch_cpu(emu, cpu);
}

/* Returns true if the thread's events may be among those lost. A CPU's stream
 * may hold events of any thread; a process's buffer only those of its own
 * threads. */
static bool
may_lose(const struct emu *emu, int stream, const struct thread *th)
{
	const struct process *p = emu->system.process_of[stream];

	return th->met && th->process->node == p->node &&
		th->state != THREAD_DEAD &&
		(emu->trace->streams.at[stream].part->process == TRACE_NONE ||
			th->process == p);
}

static void
lose_contexts(
	struct emu *emu, int stream, const struct trace_lost *l, int64_t to)
{
	const struct stream *s = &emu->trace->streams.at[stream];
	const struct process *p = emu->system.process_of[stream];
	struct cpu *cpu = s->cpu < 0 ? NULL : system_phys(p->node, s->cpu);

	for (int i = 0; i < emu->system.added.n; i++)
		if (may_lose(emu, stream, emu->system.added.at[i]))
			lose_met(emu, emu->system.added.at[i], l, to);
	lose_processes(emu, p);
	if (p->node->any != NULL) {
		tell_cpu_gap(emu, p->node->any, l, to);
		lose_place(emu, p->node->any);
	}
	if (cpu == NULL)
		return;
	tell_cpu_gap(emu, cpu, l, to);
	lose_own(emu, cpu->own, CHAN_OF_CPU);
	lose_place(emu, cpu);
}

/* Does the work of lose_contexts() for a trace in which the kernel's switches
 * tell which thread runs. Called when the gap begins (l) and when it ends (l ==
 * NULL): in between, the threads' states are unknown. */
static void
lose_beside_kernel(
	struct emu *emu, int stream, const struct trace_lost *l, int64_t to)
{
	for (int i = 0; i < emu->system.added.n; i++) {
		struct thread *th = emu->system.added.at[i];

		if (!may_lose(emu, stream, th))
			continue;
		if (l != NULL)
			tell_gap(emu, th->has.row, l, to);
		lose_states(emu, th);
		look_again(emu, th);
	}
	lose_processes(emu, emu->system.process_of[stream]);
	if (l != NULL)
		heap_push(&emu->gaps->next, to, (uint64_t)stream | IS_END);
}

/* Queues the end of the gap if the notes tell the state after the gap. */
static void
queue_end(struct emu *emu, int stream, const struct thread *th)
{
	if (gap_notes_state(emu, th) != THREAD_UNKNOWN)
		heap_push(&emu->gaps->next, th->lost_until,
			(uint64_t)stream | IS_END);
}

static void
lose(struct emu *emu, int stream, const struct trace_lost *l, int64_t to)
{
	const struct stream *s = &emu->trace->streams.at[stream];
	struct thread *th = emu->system.of_stream[stream];

	label_all(emu);
	if (s->thread != TRACE_NONE && th != NULL) {
		tell_gap(emu, th->has.row, l, to);
		lose_thread(emu, th, to);
		queue_end(emu, stream, th);
	} else if (th != NULL) {
		lose_cpu_stream(emu, stream, l, to);
	} else if (emu->system.process_of[stream] == NULL) {
		return;
	} else if (s->has_vtid && emu->tellers->has_switches(emu)) {
		lose_beside_kernel(emu, stream, l, to);
	} else if (s->has_vtid) {
		lose_contexts(emu, stream, l, to);
	} else {
		lose_beside(emu, stream, l, to);
	}
}

static bool
is_event(const struct emu *emu, const char *name)
{
	return strcmp(emu->trace->classes.at[emu->event->class].name, name) ==
		0;
}

/* Shows a thread after a gap. Its CPU is not known, unless another thread moved
 * it meanwhile. If the thread runs, now or with the current event, and another
 * thread runs on that CPU, then the event that moved the thread away is
 * lost. */
static void
appear(struct emu *emu, struct thread *th, enum thread_state state, bool runs)
{
	struct cpu *cpu = th->moved_to;
	char where[32];

	if (cpu != NULL && runs && !cpu->virtual && cpu->running.n > 0)
		cpu = NULL;
	snprintf(where, sizeof where, "thread %lld", (long long)th->tid);
	if (cpu == NULL && th->ngaps == 1)
		finding_add(emu->findings,
			(struct finding){ .severity = FINDING_NOTE,
				.file = emu->trace->path,
				.where = where,
				.offset = FINDING_NOWHERE,
				.time = emu->now,
				.row_next = th->has.row + 1 },
			"inferred: the thread is %s on an unknown CPU, because "
			"events were lost",
			thread_state_name(state));
	if (cpu == NULL)
		cpu = system_cpu(&emu->system, th->process->node, -1);
	placement_set(emu, th, state, cpu);
}

/* Gives the sender of an event a state and a CPU. */
static void
establish(struct emu *emu, struct thread *th)
{
	if (th->own != NULL) {
		placement_set(emu, th, THREAD_WARMING, th->own);
		return;
	}
	if (th->state != THREAD_UNKNOWN || is_event(emu, "OHx") ||
		emu->trace->by_cpu)
		return;
	if (is_event(emu, "OHw"))
		appear(emu, th, THREAD_PAUSED, false);
	else
		appear(emu, th,
			is_event(emu, "OHr") ? THREAD_PAUSED : THREAD_RUNNING,
			true);
}

/* Ends the gap of a thread. */
static void
find_states(struct emu *emu, struct thread *th)
{
	if (th->lost_inside)
		lose_states(emu, th);
	th->lost = th->lost_inside = false;
	regain(emu, th);
	for (int i = 0; i < emu->chans.n; i++)
		if (emu->chans.at[i].def->of == CHAN_OF_THREAD)
			emu_touch_of(emu, &th->has, i);
}

/* Handles an event of a thread in a gap. Returns true if the gap is over. */
static bool
leave_gap(struct emu *emu, struct thread *th, int64_t time)
{
	bool is_over = time >= th->lost_until;

	if (is_over)
		find_states(emu, th);
	else /* an event between two losses that the recorder reported as one */
		th->lost_inside = true;
	look_again(emu, th);
	return is_over;
}

void
gap_inferred(struct emu *emu, struct thread *th)
{
	if (th->lost)
		leave_gap(emu, th, emu->start + emu->now);
}

void
gap_event(struct emu *emu, struct thread *th)
{
	bool is_over = leave_gap(emu, th, emu->event->time);

	establish(emu, th);
	if (is_over)
		gap_note_state(emu, th);
}

/* Ends the gap at its end, with the state that the thread's next event will
 * show. */
static void
end_gap(struct emu *emu, struct thread *th, int64_t until)
{
	enum thread_state state = gap_notes_state(emu, th);

	if (!th->lost || th->lost_until != until)
		return;
	emu->thread = th;
	find_states(emu, th);
	if (th->state == THREAD_UNKNOWN)
		appear(emu, th, state, state == THREAD_RUNNING);
	look_again(emu, th);
}

/* Begins or ends the gap that comes next. */
static void
take_next(struct emu *emu, struct heap_item item)
{
	int stream = (int)(item.value & ~IS_END);
	const struct stream *s = &emu->trace->streams.at[stream];
	struct gap_stream *g = &emu->gaps->stream[stream];
	int64_t time = item.key - emu->start;

	if (item.key >= emu->start && time > emu->now)
		emu->now = time;
	if ((item.value & IS_END) && s->has_vtid) {
		lose_beside_kernel(emu, stream, NULL, item.key);
	} else if (item.value & IS_END) {
		end_gap(emu, emu->system.of_stream[stream], item.key);
	} else {
		const struct trace_lost *l = &s->lost.at[g->begun++];

		lose(emu, stream, l, corrected(emu->trace, s, l->to));
		queue_next(emu, stream);
	}
	view_emit(emu);
}

void
gap_begin(struct emu *emu, const struct event *ev)
{
	struct heap *next = &emu->gaps->next;

	if (emu->gaps_known != emu->trace->nlost)
		look_for_new(emu);
	while (next->n > 0 && heap_top(next)->key < ev->time)
		take_next(emu, heap_pop(next));
	set_next(emu);
}

/* Removes the thread from the CPU on which it may still have been running, if
 * its new state shows that it was not. */
static void
leave_lost(struct emu *emu, struct thread *th, enum thread_state state,
	const struct cpu *cpu)
{
	struct cpu *from = th->lost_cpu;
	bool is_known = state == THREAD_PAUSED || state == THREAD_DEAD ||
		(cpu != NULL && !cpu->virtual);

	if (!is_known)
		return;
	th->lost_cpu = NULL;
	if (from->lost != th)
		return;
	from->lost = NULL;
	if (from->running.n == 0)
		from->running.changed = from->active.changed = true;
	emu_touch_cpu(emu, from);
}

/* Called when a thread in or after a gap is placed. */
static void
gap_place(struct emu *emu, struct thread *th, enum thread_state state,
	const struct cpu *cpu)
{
	struct cpu *from = th->lost_cpu;

	/* In streams of CPUs, a switch to the thread is not an event of that
	 * thread. */
	if (th->lost && emu->trace->by_cpu && state != THREAD_UNKNOWN &&
		emu->event != NULL && emu->event->time >= th->lost_until) {
		find_states(emu, th);
		look_again(emu, th);
	}
	if (from != NULL)
		leave_lost(emu, th, state, cpu);
}

void
gap_open(struct emu *emu)
{
	emu->gaps = ARENA_NEW(emu->arena, struct gaps);
	emu->gaps->stream = ARENA_ARRAY(
		emu->arena, struct gap_stream, emu->trace->streams.n);
	emu->gap_place = gap_place;
	set_next(emu);
	/* The ovni tools ignore losses. */
	if (!emu->strict)
		look_for_new(emu);
}
