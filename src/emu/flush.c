/* SPDX-License-Identifier: MIT */
#include "emu/flush.h"

#include "emu/change.h"
#include "emu/gap.h"
#include "emu/mend.h"
#include "emu/part.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"

#define LONG_NS 10000000

static const struct chan *
chan_of(const struct emu *emu)
{
	return &emu->thread->has.chan[emu->binding->first_chan];
}

void
flush_begin(struct emu *emu, const struct event *ev)
{
	(void)ev;
	if (chan_of(emu)->depth == 0)
		emu->thread->flush_start = emu->now;
	emu_push(emu, emu->binding->first_chan, FLUSH_VALUE);
}

void
flush_end(struct emu *emu, const struct event *ev)
{
	int64_t time = emu->now - emu->thread->flush_start;
	bool was_flushing = chan_of(emu)->depth > 0;

	(void)ev;
	if (!was_flushing && chan_of(emu)->lost == CHAN_KNOWN)
		mend_leave_out(emu); /* the event that began the flush is
		                      * lost */
	emu_pop(emu, emu->binding->first_chan, FLUSH_VALUE);
	if (!was_flushing || time <= LONG_NS ||
		emu->thread->state != THREAD_RUNNING)
		return;
	emu->nflushes++;
	emu->flushes += time;
	if (time > emu->longest_flush)
		emu->longest_flush = time;
	if (emu->strict)
		emu_finding(emu, FINDING_WARNING,
			"flushing took %lld ms while the thread was running",
			(long long)(time / 1000000));
}

void
flush_cut(struct emu *emu)
{
	while (chan_of(emu)->depth > 0) {
		mend_state(emu, emu->thread, INFER_LEAVE);
		gap_inferred(emu, emu->thread);
		flush_end(emu, emu->event);
		if (!emu->quiet)
			view_emit(emu);
	}
}

void
flush_report(struct emu *emu)
{
	if (emu->part != NULL) {
		emu->part->nflushes = emu->nflushes;
		emu->part->flushes = emu->flushes;
		emu->part->longest_flush = emu->longest_flush;
		return;
	}
	if (!emu->strict)
		flush_say(emu->findings, emu->trace->path, emu->nflushes,
			emu->flushes, emu->longest_flush);
}

void
flush_say(struct findings *fs, const char *file, uint64_t n, int64_t sum,
	int64_t longest)
{
	if (n == 0)
		return;
	finding_add(fs,
		(struct finding){ .severity = FINDING_NOTE,
			.file = file,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"flushing took %lld ms of running threads: %llu flush%s of "
		"more than %d ms, the longest %lld ms",
		(long long)(sum / 1000000), (unsigned long long)n,
		n == 1 ? "" : "es", LONG_NS / 1000000,
		(long long)(longest / 1000000));
}
