/* SPDX-License-Identifier: MIT */
#include "inproc/core/flight.h"

#include <signal.h>

#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/drain.h"
#include "inproc/core/lost.h"
#include "inproc/core/signals.h"
#include "inproc/core/stream.h"

/* Gives up one record and counts it as lost unless the file has it. Returns the
 * position of the next record. */
static uint64_t
give_up(struct stream *s, uint64_t at, struct ringfile_lost *lost)
{
	const unsigned char *record = weft_rt_stream_record(s, at);
	uint64_t time = s->format->time(s, record);
	bool is_ours = s->format->pass && s->format->pass(s, record, false);

	if (at >= s->mem.file->tail && !is_ours) {
		if (lost->count++ == 0)
			lost->from = time;
		lost->to = time > lost->to ? time : lost->to;
	}
	return at + s->format->size(s, record);
}

/* Gives up records before a position, and further ones until the gap after the
 * file's end is at least STREAM_BRIDGE long. The caller has taken the ring. */
static void
give_up_to(struct stream *s, uint64_t want)
{
	struct ringfile *f = s->mem.file;
	struct ringfile_lost lost = { 0 };
	uint64_t head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	uint64_t first = f->first;
	sigset_t was;

	signals_block(&was);
	while (first < head &&
		(first < want ||
			(first > f->tail && first < f->tail + STREAM_BRIDGE)))
		first = give_up(s, first, &lost);
	__atomic_store_n(&f->first, first, __ATOMIC_RELEASE);
	weft_rt_lost_given_up(s, lost.from, lost.to, lost.count);
	signals_restore(&was);
}

bool
weft_rt_flight_room(struct stream *s, uint64_t end)
{
	struct ringfile *f = s->mem.file;
	uint64_t room = f->size - RING_SLACK;
	/* records before first may be overwritten */
	uint64_t first = __atomic_load_n(&f->first, __ATOMIC_ACQUIRE);
	uint64_t want = end > room ? end - room + f->size / 16 : 0;
	bool is_me = false;

	if (end > first + room) {
		if (!weft_rt_drain_take(s, &is_me))
			return false; /* another thread writes the ring to the
			               * file */
		give_up_to(s, want);
		first = f->first;
		weft_rt_drain_give(s);
	}
	weft_rt_ring_allow(s->ring, first + room);
	return end <= first + room;
}

/* Skips positions in the file that were given up since the last drain. */
static bool
skip(struct stream *s)
{
	struct ringfile *f = s->mem.file;

	if (s->format->bridge && !s->format->bridge(s))
		return false;
	WEFT_ASSERT(file_ends_before_what_is_kept, f->first > f->tail);
	f->skip += f->first - f->tail;
	f->tail = f->first;
	s->lost.has_gap = false;
	return true;
}

bool
weft_rt_flight_drain(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	const unsigned char *record;
	uint64_t at, head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	uint64_t n = head - (f->first > f->tail ? f->first : f->tail), share;
	bool ok;

	share = weft_rt_budget_share(n);
	if (share < n || f->first > f->tail)
		give_up_to(s, share < n ? head - share : f->first);
	/* All kept records are given up, and the gap is too short for a bridge:
	 * nothing can be written. */
	if (f->first > f->tail && f->first - f->tail < STREAM_BRIDGE)
		return true;
	if (f->first > f->tail && !skip(s))
		return false;
	at = f->tail;
	ok = weft_rt_drain(s);
	weft_rt_budget_spend(f->tail - at);
	for (; s->format->pass && at < f->tail;
		at += s->format->size(s, record)) {
		record = weft_rt_stream_record(s, at);
		s->format->pass(s, record, true);
	}
	return ok;
}
