/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/still.h"

#include <signal.h>

#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/clock.h"
#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/signals.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/thread.h"

/* Keeps a pair; closes the ring, so that the next event comes here first. */
static void
keep(struct thread *th, uint64_t from, uint64_t to)
{
	WEFT_ASSERT(wait_begins_before_it_ends, from <= to);
	if (th->still_to == 0)
		th->still_from = from;
	th->still_to = to;
	weft_rt_ring_close(&th->ring);
}

/* Blocks all signals, so that no handler records between the two events. */
void
weft_rt_still_say(struct thread *th, const uint64_t *clock)
{
	sigset_t was;

	if (th->still_to == 0 || (clock && *clock < th->still_to))
		return;
	signals_block(&was);
	if (th->still_to != 0 && !th->stream.is_waiting &&
		weft_rt_stream_fits(&th->stream, 2 * RECORD_HEAD)) {
		weft_rt_thread_put(
			th, weft_first("OF[", 0), th->still_from, NULL, 0);
		weft_rt_thread_put(
			th, weft_first("OF]", 0), th->still_to, NULL, 0);
	}
	th->still_to = 0;
	signals_restore(&was);
}

/* Blocks handlers until the event is stored: their events would be later than
 * the caller's clock, and would lie before its event. */
static bool
wait_at(struct thread *th, uint64_t size, uint64_t clock, bool must)
{
	uint64_t waited[2];
	sigset_t was;
	bool ok;

	signals_block(&was);
	ok = weft_rt_stream_room_at(&th->stream, size, clock, must, waited);
	if (waited[1] != 0)
		keep(th, waited[0], waited[1]);
	WEFT_ASSERT(wait_at_a_clock_is_the_only_one, !th->is_still);
	th->still_was = was;
	th->is_still = true;
	if (!ok)
		weft_rt_still_end(th);
	return ok;
}

void
weft_rt_still_end(struct thread *th)
{
	sigset_t was = th->still_was;

	if (!th->is_still)
		return;
	th->is_still = false;
	signals_restore(&was);
}

bool
weft_rt_still_room(
	struct thread *th, uint64_t size, const uint64_t *clock, bool must)
{
	bool ok;

	weft_rt_still_say(th, clock);
	if (!clock)
		ok = weft_rt_stream_room(&th->stream, size);
	else
		ok = weft_rt_stream_fits(&th->stream, size) ||
			wait_at(th, size, *clock, must);
	if (th->still_to != 0)
		weft_rt_ring_close(&th->ring);
	return ok;
}

void
weft_rt_still_flush(struct thread *th)
{
	uint64_t from;
	sigset_t was;
	bool is_me;

	signals_block(&was);
	weft_rt_still_say(th, NULL);
	from = weft_rt_clock_now();
	if (weft_rt_config.full != FULL_OVERWRITE &&
		weft_rt_drain_take(&th->stream, &is_me)) {
		weft_rt_drain(&th->stream);
		weft_rt_drain_give(&th->stream);
	}
	keep(th, from, weft_rt_clock_now());
	signals_restore(&was);
}
