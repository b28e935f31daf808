/* SPDX-License-Identifier: MIT */
#include "emu/flush.h"

#include "emu/state.h"

#define LONG_NS 10000000

void
flush_begin(struct emu *emu, const struct event *ev)
{
	(void)ev;
	if (emu->thread->chan[emu->binding->first_chan].depth == 0)
		emu->thread->flush_start = emu->now;
	emu_push(emu, emu->binding->first_chan, FLUSH_VALUE);
}

void
flush_end(struct emu *emu, const struct event *ev)
{
	int64_t time = emu->now - emu->thread->flush_start;
	bool was_flushing =
		emu->thread->chan[emu->binding->first_chan].depth > 0;

	(void)ev;
	emu_pop(emu, emu->binding->first_chan, FLUSH_VALUE);
	if (was_flushing && time > LONG_NS &&
		emu->thread->state == THREAD_RUNNING)
		emu_finding(emu, FINDING_WARNING,
			"flushing took %lld ms while the thread was running",
			(long long)(time / 1000000));
}
