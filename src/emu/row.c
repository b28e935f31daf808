/* SPDX-License-Identifier: MIT */
#include "emu/row.h"

#include "emu/state.h"
#include "emu/view.h"

/* The thread whose channel is meant, or NULL with a finding. */
static struct thread *
owner_of(struct emu *emu, const struct row_def *d)
{
	struct thread *th = emu->thread;
	int64_t tid;

	switch (d->owner) {
	case OWNER_THREAD:
		break;
	case OWNER_RUNNING:
		th = th->cpu == NULL ? NULL : th->cpu->running.only;
		if (th == NULL)
			emu_finding(emu, FINDING_ERROR,
				"no single thread runs on the CPU");
		break;
	case OWNER_TID:
		tid = emu_arg(emu, d->owner_arg);
		th = system_thread(&emu->system, th->process, tid);
		if (th == NULL)
			emu_finding(emu, FINDING_ERROR,
				"there is no thread %lld", (long long)tid);
		break;
	}
	return th;
}

/* Sums stay within what a number holds. */
static int64_t
sum(int64_t held, int64_t value, bool minus)
{
	int64_t out, zero = held == VALUE_NONE ? 0 : held;
	bool over = minus ? __builtin_sub_overflow(zero, value, &out)
			  : __builtin_add_overflow(zero, value, &out);

	return over || out == VALUE_NONE ? zero : out;
}

static void
replace_top(struct emu *emu, int chan, int64_t value)
{
	const struct chan *ch = &emu->thread->chan[chan];

	if (ch->depth > 0)
		emu_pop(emu, chan, ch->value);
	emu_push(emu, chan, value);
}

static void
apply(struct emu *emu, const struct row_def *d, int chan, int64_t value)
{
	int64_t held = emu->thread->chan[chan].value;

	switch (d->action) {
	case ROW_PUSH:
		emu_push(emu, chan, value);
		break;
	case ROW_POP:
		emu_pop(emu, chan, value);
		break;
	case ROW_SHOW:
		emu->thread->shown[chan].written = false;
		emu_set(emu, chan, value);
		break;
	case ROW_SET:
		emu_set(emu, chan, value);
		break;
	case ROW_REPLACE:
		replace_top(emu, chan, value);
		break;
	case ROW_ADD:
	case ROW_SUB:
		emu_set(emu, chan, sum(held, value, d->action == ROW_SUB));
		break;
	case ROW_POINT:
		view_point(emu, chan, value);
		break;
	case ROW_ENABLE:
	case ROW_DISABLE:
		emu_switch(emu, chan, d->action == ROW_ENABLE);
		break;
	case ROW_IGNORE:
		break;
	}
}

void
row_run(struct emu *emu, const struct binding *b)
{
	const struct row_def *d = b->row;
	struct thread *sender = emu->thread, *th = owner_of(emu, d);

	if (th == NULL)
		return;
	emu->thread = th;
	apply(emu, d, b->chan, d->arg < 0 ? d->value : emu_arg(emu, d->arg));
	emu->thread = sender;
}
