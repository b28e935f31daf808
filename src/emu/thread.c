/* SPDX-License-Identifier: MIT */
#include "emu/thread.h"

#include <string.h>

#include "emu/gap_notes.h"
#include "emu/hooks.h"
#include "emu/mend.h"
#include "emu/part.h"
#include "emu/placement.h"
#include "emu/say.h"
#include "emu/state.h"

#define IN(state) (1u << (state))

enum { CPU_ARG, TID_ARG };

/* Returns true for events that only a paused thread can send. */
static bool
is_of_paused(const char *event)
{
	return strcmp(event, "OHr") == 0 || strcmp(event, "OHw") == 0;
}

void
thread_began_earlier(struct emu *emu, struct thread *th)
{
	const char *event = emu->trace->classes.at[emu->event->class].name;
	enum thread_state state =
		is_of_paused(event) ? THREAD_PAUSED : THREAD_RUNNING;
	struct cpu *any = system_cpu(&emu->system, th->process->node, -1);

	if (!th->late || th->state != THREAD_UNKNOWN ||
		strcmp(event, "OHx") == 0)
		return;
	emu_finding(emu, FINDING_NOTE,
		"inferred: thread %lld is %s on an unknown CPU, because its "
		"first events were overwritten",
		(long long)th->tid, thread_state_name(state));
	mend_state(emu, th, INFER_BEGIN);
	placement_set_now(emu, th, THREAD_RUNNING, any);
	if (state != THREAD_PAUSED)
		return;
	mend_state(emu, th, INFER_PAUSE);
	placement_set_now(emu, th, THREAD_PAUSED, any);
}

/* Returns true if the thread is in one of the states; else false with a
 * finding. */
static bool
is_in(struct emu *emu, const struct thread *th, unsigned states)
{
	if ((states & IN(th->state)) != 0)
		return true;
	emu_finding(emu, FINDING_ERROR,
		"thread %lld is %s: this event is not allowed in that state",
		(long long)th->tid, thread_state_name(th->state));
	return false;
}

static void
change(struct emu *emu, unsigned from, enum thread_state to)
{
	struct thread *th = emu->thread;

	if (is_in(emu, th, from))
		placement_set(emu, th, to, to == THREAD_DEAD ? NULL : th->cpu);
}

/* Returns the CPU that the event names, or NULL with a finding. */
static struct cpu *
named_cpu(struct emu *emu)
{
	struct node *node = emu->thread->process->node;
	int64_t index = emu_arg(emu, CPU_ARG);
	struct cpu *cpu = system_cpu(&emu->system, node, index);

	if (cpu == NULL)
		emu_finding(emu, FINDING_ERROR,
			"there is no CPU with index %lld in loom %s",
			(long long)index, node->name);
	return cpu;
}

void
thread_execute(struct emu *emu, const struct event *ev)
{
	struct thread *th = emu->thread;
	struct cpu *cpu = named_cpu(emu);

	(void)ev;
	/* Without a CPU nothing of the thread would be shown; so it is put on
	 * the virtual CPU. */
	if (cpu == NULL)
		cpu = system_cpu(&emu->system, th->process->node, -1);
	if (!is_in(emu, th, IN(THREAD_UNKNOWN) | IN(THREAD_DEAD)))
		return;
	th->placed = emu->now;
	placement_set(emu, th, THREAD_RUNNING, cpu);
	/* After an exec a process has another stream: events of other
	 * processes that name the thread mean the newer one. */
	*map_put(&th->process->node->threads, (uint64_t)th->tid) =
		(uint64_t)(uintptr_t)th;
}

void
thread_end(struct emu *emu, const struct event *ev)
{
	(void)ev;
	if (emu->incomplete)
		hooks_cut(emu); /* the events in which it left its states may
		                 * be lost */
	/* A thread that was killed may have left anything open. */
	if (!emu->trace->streams.at[emu->event->stream].cut)
		gap_note_end(emu, emu->thread);
	change(emu, IN(THREAD_RUNNING) | IN(THREAD_COOLING), THREAD_DEAD);
}

/* Returns true for a pause that the kernel's record calls a preemption. Other
 * pauses have no payload, or one without a meaning. */
static bool
is_preemption(const struct emu *emu, const struct event *ev)
{
	uint32_t why;

	if (emu->strict || ev->size < sizeof why ||
		!emu->trace->streams.at[ev->stream].switches)
		return false;
	memcpy(&why, ev->data, sizeof why);
	return why == TRACE_PREEMPTED;
}

void
thread_pause(struct emu *emu, const struct event *ev)
{
	emu->thread->preempted = is_preemption(emu, ev);
	change(emu, IN(THREAD_RUNNING) | IN(THREAD_COOLING), THREAD_PAUSED);
}

void
thread_resume(struct emu *emu, const struct event *ev)
{
	(void)ev;
	change(emu, IN(THREAD_PAUSED) | IN(THREAD_WARMING), THREAD_RUNNING);
}

void
thread_cool(struct emu *emu, const struct event *ev)
{
	(void)ev;
	change(emu, IN(THREAD_RUNNING), THREAD_COOLING);
}

void
thread_warm(struct emu *emu, const struct event *ev)
{
	(void)ev;
	change(emu, IN(THREAD_PAUSED), THREAD_WARMING);
}

void
thread_move_self(struct emu *emu, const struct event *ev)
{
	const unsigned active =
		IN(THREAD_RUNNING) | IN(THREAD_COOLING) | IN(THREAD_WARMING);
	struct thread *th = emu->thread;
	struct cpu *cpu = named_cpu(emu);

	(void)ev;
	if (cpu == NULL || !is_in(emu, th, active) || cpu == th->cpu)
		return;
	th->placed = emu->now;
	placement_set(emu, th, th->state, cpu);
}

void
thread_move_other(struct emu *emu, const struct event *ev)
{
	const unsigned alive = IN(THREAD_RUNNING) | IN(THREAD_PAUSED) |
		IN(THREAD_COOLING) | IN(THREAD_WARMING);
	int64_t tid = emu_arg(emu, TID_ARG);
	struct thread *th = system_thread(emu->thread->process, tid);
	struct cpu *cpu = named_cpu(emu);

	(void)ev;
	if (th == NULL) {
		emu_finding(emu, FINDING_ERROR,
			"no thread %lld in this loom to be moved",
			(long long)tid);
		mend_leave_out(emu);
		return;
	}
	if (cpu != NULL && th->lost) {
		th->moved_to = cpu;
		th->placed = emu->now;
		return;
	}
	if (cpu == NULL)
		return;
	if (th->cut || !is_in(emu, th, alive)) {
		mend_leave_out(emu);
		return;
	}
	if (cpu == th->cpu) {
		mend_leave_out(emu);
		emu_tolerate(emu,
			"thread %lld is moved to a CPU on which it is already",
			(long long)tid);
		return;
	}
	th->placed = emu->now;
	placement_set(emu, th, th->state, cpu);
}

void
thread_obsolete(struct emu *emu, const struct event *ev)
{
	(void)ev;
	emu_finding(emu, FINDING_WARNING,
		"obsolete event %s: it changes nothing",
		emu->trace->classes.at[ev->class].name);
}

void
thread_check_ends(struct emu *emu)
{
	for (int i = 0; i < emu->trace->threads.n && emu->complete; i++) {
		const struct trace_thread *from = &emu->trace->threads.at[i];
		const struct stream *s = &emu->trace->streams.at[from->stream];
		const struct thread *th = emu->system.of_stream[from->stream];

		if (th->state == THREAD_DEAD ||
			(emu->part != NULL && !emu->part->keep[from->stream]))
			continue;
		finding_add(emu->findings,
			(struct finding){
				/* The end event of a killed writer is missing,
		                 * and may be among the lost events. */
				.refused = true,
				.severity = from->replaced ? FINDING_NOTE
					: from->finished && s->lost.n == 0
					? FINDING_ERROR
					: FINDING_WARNING,
				.file = s->file,
				.offset = FINDING_NOWHERE,
				.time = emu->now },
			"thread %lld is not dead at the end: it is %s",
			(long long)th->tid, thread_state_name(th->state));
	}
}
