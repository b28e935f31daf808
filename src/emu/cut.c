/* SPDX-License-Identifier: MIT */
#include "emu/cut.h"

#include "emu/away.h"
#include "emu/change.h"
#include "emu/first_event.h"
#include "emu/gap.h"
#include "emu/hooks.h"
#include "emu/mend.h"
#include "emu/open.h"
#include "emu/placement.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

static struct cpu *
any_cpu(const struct emu *emu, const struct thread *th)
{
	return system_cpu((struct system *)&emu->system, th->process->node, -1);
}

/* Infers a missing event of the thread: records it for a repair, and changes
 * the thread's state. */
static void
infer(struct emu *emu, struct thread *th, enum infer what,
	enum thread_state state, struct cpu *cpu)
{
	mend_state(emu, th, what);
	gap_inferred(emu, th);
	placement_set_now(emu, th, state, cpu);
}

/* Ends the thread. Only a running thread can end; it is put on the virtual CPU,
 * because another thread may run on its own. */
static void
end(struct emu *emu, struct thread *th)
{
	bool paused = th->state == THREAD_PAUSED || th->state == THREAD_WARMING;
	struct cpu *any = any_cpu(emu, th);

	th->cut = emu->any_cut = true;
	emu->incomplete = true;
	mend_end(emu, th);
	if (paused && th->cpu != any)
		infer(emu, th, INFER_MOVE, (enum thread_state)th->state, any);
	if (paused)
		infer(emu, th, INFER_RESUME, THREAD_RUNNING, any);
	else if (th->state == THREAD_UNKNOWN)
		infer(emu, th, INFER_BEGIN, THREAD_RUNNING, any);
	infer(emu, th, INFER_END, THREAD_DEAD, NULL);
}

void
cut_thread(struct emu *emu, struct thread *th)
{
	char open[512];

	if (emu->strict)
		return;
	emu->thread = th;
	hooks_cut(emu);
	if (th->state == THREAD_DEAD)
		return;
	open_text(emu, th, open, sizeof open);
	if (th->finished)
		emu_finding(emu, FINDING_ERROR,
			"thread %lld is not dead at the end: it is %s%s; it "
			"ends here, with its last event",
			(long long)th->tid,
			thread_state_name((enum thread_state)th->state), open);
	else
		emu_finding(emu, FINDING_NOTE,
			"inferred: thread %lld ends here, with its last event; "
			"it was %s%s",
			(long long)th->tid,
			thread_state_name((enum thread_state)th->state), open);
	end(emu, th);
}

static void
end_absent(struct emu *emu, const struct stream *s, struct thread *th)
{
	finding_add(emu->findings,
		(struct finding){
			.severity = th->finished ? FINDING_ERROR : FINDING_NOTE,
			.file = s->file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"no event of thread %lld is left: it starts and ends at the "
		"first event of the trace",
		(long long)th->tid);
	end(emu, th);
}

void
cut_absent(struct emu *emu, const struct event *ev)
{
	const struct trace *t = emu->trace;
	int n = t->streams.n;

	if (emu->strict || t->by_cpu)
		emu->absent = n;
	if (ev != NULL && ev->time == emu->start)
		n = (int)ev->stream;
	for (; emu->absent < n; emu->absent++) {
		const struct stream *s = &t->streams.at[emu->absent];
		struct thread *th = emu->system.of_stream[emu->absent];

		if (s->ended && !emu->first[emu->absent].seen && th != NULL)
			end_absent(emu, s, th);
	}
	if (emu->absent >= t->streams.n)
		emu->absent = -1;
}

static void
leave_away(struct emu *emu, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct chan *ch = &emu->thread->has.chan[chan];
	bool stack = c->def->kind == CHAN_STACK;

	while (stack ? ch->depth > 0 : ch->value != VALUE_NONE) {
		mend_leave(emu, emu->thread, c->local, ch->value);
		gap_inferred(emu, emu->thread);
		if (stack)
			emu_pop(emu, chan, ch->value);
		else
			emu_set(emu, chan, VALUE_NONE);
		away_look(emu, &emu->thread->has);
		if (!emu->quiet)
			view_emit(emu);
	}
}

void
cut_away(struct emu *emu)
{
	const struct model *m = emu->binding->model;

	for (int i = 0; i < m->nchans; i++)
		if (m->chans[i].away)
			leave_away(emu, emu->binding->first_chan + i);
}
