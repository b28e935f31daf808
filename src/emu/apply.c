/* SPDX-License-Identifier: MIT */
#include "emu/apply.h"

#include <inttypes.h>

#include "emu/away.h"
#include "emu/change.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"
#include "trace/clock.h"

/* Returns the owner of the channels of the event's process, or NULL. */
static struct holder *
process_own(struct emu *emu)
{
	uint32_t stream = emu->event->stream;
	const struct process *p = emu->trace->streams.at[stream].has_vtid
		? emu->tellers->process(emu, stream)
		: emu->system.process_of[stream];

	return p == NULL ? NULL : p->own;
}

/* Returns the thread whose channel the row changes, or NULL with a finding. */
static struct thread *
thread_of(struct emu *emu, const struct model_row *d)
{
	struct thread *th = emu->thread;
	int64_t tid;

	if (d->owner == OWNER_RUNNING) {
		th = th->cpu == NULL ? NULL : th->cpu->running.only;
		if (th == NULL)
			emu_finding(emu, FINDING_ERROR,
				"no thread, or more than one, runs on the CPU");
	} else if (d->owner == OWNER_TID) {
		tid = emu_arg(emu, d->owner_arg);
		th = system_thread(th->process, tid);
		if (th == NULL)
			emu_finding(emu, FINDING_ERROR,
				"there is no thread %lld", (long long)tid);
	}
	return th;
}

/* Returns the owner of the channel that the model row changes, or NULL. */
static struct holder *
owner_of(struct emu *emu, const struct model_row *d)
{
	struct thread *th;

	switch (d->owner) {
	case OWNER_THREAD:
	case OWNER_RUNNING:
	case OWNER_TID:
		th = thread_of(emu, d);
		return th == NULL ? NULL : &th->has;
	case OWNER_CPU:
		if (emu->thread->cpu == NULL)
			emu_finding(
				emu, FINDING_ERROR, "the thread is on no CPU");
		return emu->thread->cpu == NULL ? NULL : emu->thread->cpu->own;
	case OWNER_PROCESS:
		return process_own(emu);
	case OWNER_SYSTEM:
		break;
	}
	return emu->system.own;
}

/* Adds to a quantity, or subtracts. */
static void
add(struct emu *emu, struct holder *of, int chan, int64_t value, bool minus)
{
	const struct chan *ch = &of->chan[chan];
	int64_t out, held = ch->value == VALUE_NONE ? 0 : ch->value;
	bool over = minus ? __builtin_sub_overflow(held, value, &out)
			  : __builtin_add_overflow(held, value, &out);

	if (ch->lost != CHAN_KNOWN)
		return; /* a sum with an unknown value is unknown */
	if (over || out == VALUE_NONE)
		emu_finding_of(emu, of, FINDING_ERROR,
			"%s: overflow: it is %" PRId64 ", %s %" PRId64
			" leaves 64 bits",
			emu->chans.at[chan].def->title, held,
			minus ? "minus" : "plus", value);
	else
		emu_set_of(emu, of, chan, out);
}

/* Replaces the top of a stack. */
static void
replace_top(struct emu *emu, struct holder *of, int chan, int64_t value)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	struct chan *ch = &of->chan[chan];
	char want[64];

	if (ch->depth == 0 && ch->lost != CHAN_KNOWN)
		emu_push_of(emu, of, chan, value);
	else if (ch->depth == 0)
		emu_finding_of(emu, of, FINDING_ERROR,
			"%s: replaces the top by %s, but nothing was entered",
			c->def->title, emu_value_text(emu, chan, value, want));
	else if (ch->value == value && !c->def->dup)
		emu_chan_finding(emu, of, chan, CHAN_SAME, value);
	else {
		ch->stack[ch->depth - 1] = ch->value = value;
		emu_touch_of(emu, of, chan);
	}
}

/* Sets the value, and writes a record even if the value did not change. */
static void
show(struct emu *emu, struct holder *of, int chan, int64_t value)
{
	of->chan[chan].value = value;
	view_again(emu, of, chan);
	change_done(emu, of, chan, CHAN_OK, value);
}

static void
apply(struct emu *emu, struct holder *of, const struct model_row *d, int chan,
	int64_t value)
{
	switch (d->action) {
	case ROW_PUSH:
		emu_push_of(emu, of, chan, value);
		break;
	case ROW_POP:
		emu_pop_of(emu, of, chan, value);
		break;
	case ROW_SHOW:
		show(emu, of, chan, value);
		break;
	case ROW_SET:
		emu_set_of(emu, of, chan, value);
		break;
	case ROW_REPLACE:
		replace_top(emu, of, chan, value);
		break;
	case ROW_ADD:
	case ROW_SUB:
		add(emu, of, chan, value, d->action == ROW_SUB);
		break;
	case ROW_POINT:
		view_point(emu, of, chan, value);
		break;
	case ROW_ENABLE:
	case ROW_DISABLE:
		emu_switch_of(emu, of, chan, d->action == ROW_ENABLE);
		break;
	case ROW_IGNORE:
		break;
	}
}

/* Returns false with a finding for an unsigned argument from 2^63 on: channels
 * and times are signed, and would hold a different number. */
static bool
fits(struct emu *emu, const struct holder *of, int arg)
{
	const struct arg *a;
	int64_t value;

	if (arg < 0 || arg >= emu->binding->nargs)
		return true;
	a = &emu->binding->arg[arg];
	value = emu_arg(emu, arg);
	if (a->type != FIELD_U64 || value >= 0)
		return true;
	emu_finding_of(emu, of, FINDING_ERROR,
		"argument \"%s\" is %" PRIu64
		": too large for a signed number of 64 bits",
		a->name, (uint64_t)value);
	return false;
}

/* Returns the corrected time of a clock of the event's stream. */
static int64_t
corrected(const struct emu *emu, int64_t clock)
{
	const struct trace *t = emu->trace;
	const struct stream *s = &t->streams.at[emu->event->stream];
	int64_t time;

	if (s->thread != TRACE_NONE)
		return clock_time(trace_node_of(t, s->thread), clock);
	return __builtin_add_overflow(clock, s->clock_offset, &time) ? INT64_MAX
								     : time;
}

/* Returns the time in an argument, relative to the first event. */
static int64_t
time_told(struct emu *emu, const struct holder *of, const struct model_row *d,
	int arg)
{
	int64_t told = emu_arg(emu, arg), since;
	bool over = d->since == SINCE_AGO
		? __builtin_sub_overflow(emu->now, told, &since)
		: __builtin_sub_overflow(
			  corrected(emu, told), emu->start, &since);

	if (!fits(emu, of, arg))
		return emu->now;
	if (over || since > emu->now) {
		emu_finding_of(emu, of, FINDING_ERROR,
			"its argument says %s %" PRId64
			", which is later than the event",
			d->since == SINCE_AGO ? "ns ago:" : "time", told);
		return emu->now;
	}
	return since < 0 ? 0 : since;
}

/* Runs a row whose value holds since an earlier time. */
static void
apply_since(struct emu *emu, struct holder *of, const struct model_row *d,
	int chan, int64_t value)
{
	int64_t since = time_told(emu, of, d, d->since_arg), until = emu->now;

	if (d->until_arg > 0)
		until = time_told(emu, of, d, d->until_arg);
	if (d->action == ROW_POINT) {
		view_span(
			emu, of, chan, value, (struct period){ since, until });
		return;
	}
	apply(emu, of, d, chan, value);
	if (emu->dirty.n > 0)
		view_since(emu, of, chan, since);
}

void
apply_row(struct emu *emu, const struct binding *b)
{
	const struct model_row *d = b->row;
	struct holder *of = owner_of(emu, d);
	int64_t value = d->arg < 0 ? d->value : emu_arg(emu, d->arg);

	if (of == NULL || !fits(emu, &emu->thread->has, d->arg))
		return;
	if (d->since == SINCE_NOW)
		apply(emu, of, d, b->chan, value);
	else
		apply_since(emu, of, d, b->chan, value);
	if (emu->chans.at[b->chan].def->away)
		away_look(emu, of);
}
