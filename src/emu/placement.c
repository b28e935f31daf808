/* SPDX-License-Identifier: MIT */
#include "emu/placement.h"

#include "emu/mend.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

void
emu_touch_cpu(struct emu *emu, struct cpu *cpu)
{
	if (cpu == NULL)
		return;
	if (cpu->running.changed)
		cpu->running.since = emu->now;
	if (cpu->active.changed)
		cpu->active.since = emu->now;
	for (int i = 0; i < emu->touched_cpus.n; i++)
		if (emu->touched_cpus.at[i] == cpu)
			return;
	VEC_PUSH(&emu->touched_cpus, emu->arena, cpu);
}

/* Several threads run on a CPU. If a thread was killed, the event that moved
 * the other thread away may be lost. */
static void
too_many(struct emu *emu, const struct cpu *cpu)
{
	static const char text[] = "%u threads run on%s at the same time";

	if (emu->incomplete)
		emu_tolerate(emu, text, cpu->running.n, cpu->name);
	else
		emu_finding(
			emu, FINDING_ERROR, text, cpu->running.n, cpu->name);
}

/* Marks the rows of the thread and of its CPUs that must be shown again.
 * active, from: the thread's bits and its CPU before the change. */
static void
note_place(struct emu *emu, struct thread *th, int active, struct cpu *from)
{
	if ((active ^ th->active) & ACTIVE_RUNNING)
		th->since[TRACK_RUNNING] = emu->now;
	if ((active ^ th->active) & ACTIVE_ACTIVE)
		th->since[TRACK_ACTIVE] = emu->now;
	if ((active ^ th->active) & ACTIVE_ALIVE)
		th->since[TRACK_ALIVE] = emu->now;
	VEC_PUSH(&emu->changed_threads, emu->arena, th);
	emu_touch_cpu(emu, from);
	emu_touch_cpu(emu, th->cpu);
}

/*
 * Makes room on a CPU for a thread that is about to run there, if events of
 * killed threads may be lost. Two threads then claim the CPU: the thread that
 * was placed there earlier must have left. Returns the CPU on which the thread
 * can run.
 */
static struct cpu *
make_room(struct emu *emu, struct thread *th, struct cpu *cpu)
{
	struct thread *other = cpu->running.only;
	struct thread *leaves = th;
	struct cpu *any = th->process->node->any;

	if (cpu->virtual || other == NULL || other == th || emu->trace->by_cpu)
		return cpu;
	if (other->placed <= th->placed)
		leaves = other;
	if (!leaves->moved)
		emu_finding(emu, FINDING_NOTE,
			"inferred: thread %lld is on an unknown CPU, because "
			"thread %lld now runs on its former CPU; the event "
			"that moved it is lost",
			(long long)leaves->tid,
			(long long)(leaves == th ? other : th)->tid);
	leaves->moved = true;
	mend_move(emu, leaves);
	placement_set_now(emu, leaves, (enum thread_state)leaves->state, any);
	return leaves == th ? any : cpu;
}

void
placement_set(struct emu *emu, struct thread *th, enum thread_state state,
	struct cpu *cpu)
{
	struct cpu *from;
	uint32_t before;
	int active;

	if (__builtin_expect(emu->any_cut, 0) && cpu != NULL &&
		cpu->running.n > 0 && state == THREAD_RUNNING)
		cpu = make_room(emu, th, cpu);
	from = th->cpu;
	before = cpu == NULL ? 0 : cpu->running.n;
	active = th->active;
	thread_place(&emu->system, th, state, cpu);
	if (!emu->quiet)
		note_place(emu, th, active, from);
	if (__builtin_expect(th->lost_cpu != NULL || th->lost, 0))
		emu->gap_place(emu, th, state, cpu);
	if (cpu != NULL && cpu->running.n > 0)
		cpu->lost = NULL;
	if (cpu != NULL && cpu->running.n > before && before > 0 &&
		!cpu->virtual)
		too_many(emu, cpu);
}

void
placement_set_now(struct emu *emu, struct thread *th, enum thread_state state,
	struct cpu *cpu)
{
	placement_set(emu, th, state, cpu);
	if (!emu->quiet)
		view_emit(emu);
}
