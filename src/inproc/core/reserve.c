/* SPDX-License-Identifier: MIT */
#include "inproc/core/reserve.h"

#include <signal.h>
#include <time.h>

#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/clock.h"
#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/flight.h"
#include "inproc/core/guest.h"
#include "inproc/core/lost.h"
#include "inproc/core/pause.h"
#include "inproc/core/proc.h"
#include "inproc/core/signals.h"
#include "inproc/core/stream.h"

enum { SOON = 1024 }; /* bytes until the next look for a writer */

void
weft_rt_stream_lose(struct stream *s, const uint64_t *clock)
{
	/* threads that begin when the process ends lose nothing */
	if (!s->has_file && weft_rt_proc_is_leaving())
		return;
	__atomic_fetch_add(&weft_rt_proc->lost, 1, __ATOMIC_RELAXED);
	guest_lost();
	if (s->mem.file)
		weft_rt_lost_refused(s, clock);
}

/* Counts records that were never written to the file as lost. Those that a
 * flight recorder gave up are counted already. */
static void
lose_rest(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	struct ringfile_lost lost = { .from = UINT64_MAX };
	const unsigned char *record;
	uint64_t time, head = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE);
	uint64_t from = f->first > f->tail ? f->first : f->tail;

	for (uint64_t at = from; at < head; at += s->format->size(s, record)) {
		record = weft_rt_stream_record(s, at);
		time = s->format->time(s, record);
		lost.from = time < lost.from ? time : lost.from;
		lost.to = time > lost.to ? time : lost.to;
		lost.count++;
	}
	__atomic_fetch_add(&weft_rt_proc->lost, lost.count, __ATOMIC_RELAXED);
	weft_rt_lost_unwritten(s, lost.from, lost.to, lost.count);
}

/* Raises the ring's limit in steps: first to half of the ring, where the writer
 * should start, then only once or twice more, because an event that reaches the
 * limit pays for this call. Until there is a writer the steps are small, so
 * that an event outside of handlers soon starts one. */
static bool
is_room(struct stream *s, uint64_t end)
{
	struct ringfile *f = s->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);
	uint64_t full = tail + f->size - RING_SLACK;
	uint64_t limit = tail + f->size / 2;

	if (end > limit) {
		weft_rt_proc_wake();
		if (end > full)
			return false;
		limit = end + f->size / 4 < full ? end + f->size / 4 : full;
	} else if (__atomic_load_n(
			   &weft_rt_proc->wants_writer, __ATOMIC_RELAXED) &&
		end + SOON < limit) {
		limit = end + SOON;
	}
	if (!weft_rt_ring_back(&s->mem, s->ring->res, end, &limit))
		return false;
	WEFT_ASSERT(limit_leaves_the_slack, end <= limit && limit <= full);
	weft_rt_ring_allow(s->ring, weft_rt_budget_limit(s, limit));
	return true;
}

void
weft_rt_stream_pause(unsigned turn)
{
	struct timespec t = { 0, 20000 };

	if (turn > 10)
		nanosleep(&t, NULL);
	else
		for (int i = 0; i < 100; i++)
			weft_rt_pause();
}

/* A handler that interrupted the making of room may use the end of the ring,
 * except what its own handlers may need. */
static bool
fits_slack(const struct stream *s, uint64_t end)
{
	const struct ringfile *f = s->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);

	return end <= tail + f->size - RING_SLACK / 8 &&
		weft_rt_ring_is_backed(&s->mem, s->ring->res,
			end - s->ring->res + RING_SLACK / 8);
}

enum turn { TURN_DONE, TURN_FAILED, TURN_OTHER, TURN_MINE };

/* Does the writer's work, if no other thread does. Blocks signals: a write
 * takes long, and handlers would have only the end of the ring meanwhile. */
static enum turn
drain_here(struct stream *s)
{
	enum turn turn = TURN_DONE;
	bool is_me = false;
	sigset_t was;

	signals_block(&was);
	if (!weft_rt_drain_take(s, &is_me)) {
		turn = is_me ? TURN_MINE : TURN_OTHER;
	} else {
		if (!weft_rt_drain(s))
			turn = TURN_FAILED;
		else if (s->mem.file->tail != *s->ring->head)
			turn = TURN_OTHER;
		weft_rt_drain_give(s);
	}
	signals_restore(&was);
	return turn;
}

/* The ring is full: waits for the writer, or does its work. A handler cannot
 * wait for a drain or an incomplete event that it interrupted. The child of a
 * handler that called fork() returns here, too, but has no file. */
static bool
wait_for_room(struct stream *s, uint64_t size)
{
	for (unsigned n = 0; s->has_file && !weft_rt_proc_is_closing(); n++) {
		enum turn turn = drain_here(s);

		if (is_room(s, s->ring->res + size))
			return true;
		if (turn == TURN_FAILED)
			return false;
		if (turn != TURN_OTHER)
			return fits_slack(s, s->ring->res + size);
		weft_rt_stream_pause(n);
	}
	return false;
}

/* Returns true if the timeline can tell that the thread waits. */
static bool
may_say(const struct stream *s, uint64_t size)
{
	return *s->ring->head == s->ring->res &&
		__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) == 0 &&
		fits_slack(s, s->ring->res + size);
}

/* Waits, and records the wait, unless a call that a handler interrupted does so
 * already. */
static bool
block(struct stream *s, uint64_t size)
{
	uint64_t said = s->format->wait_size;
	bool is_said = !s->is_waiting && may_say(s, 2 * said);
	bool ok;

	if (is_said) {
		s->is_waiting = true;
		s->format->wait(s, true);
	}
	ok = wait_for_room(s, size + said);
	if (is_said) {
		s->format->wait(s, false);
		s->is_waiting = false;
	}
	return ok;
}

/* In drop mode events are lost only when the writer is slow; without a writer
 * the caller waits. */
static bool
does_wait(bool must)
{
	return weft_rt_config.full == FULL_BLOCK ||
		(weft_rt_config.full == FULL_DROP &&
			(must ||
				!__atomic_load_n(&weft_rt_proc->has_writer,
					__ATOMIC_RELAXED)));
}

/* Returns true if there is room now, without a wait. */
static bool
has_room(struct stream *s, uint64_t end)
{
	if (weft_rt_config.full == FULL_OVERWRITE)
		return weft_rt_flight_room(s, end);
	return is_room(s, end);
}

/* Returns true when the process ends: then closes the ring, so that later
 * events are not recorded after a refused one. */
static bool
is_closed(struct stream *s)
{
	if (!weft_rt_proc_is_closing())
		return false;
	weft_rt_ring_close(s->ring);
	return true;
}

/* Returns true if size bytes may be recorded at all. If not, closes the ring,
 * so that smaller events after it are not recorded either. */
static bool
may_record(struct stream *s, uint64_t size)
{
	uint64_t end;

	if (!s->has_file)
		return false;
	end = s->ring->res + size + 2 * s->format->wait_size;
	if (weft_rt_budget_pay(s, end))
		return true;
	weft_rt_ring_close(s->ring);
	return false;
}

bool
weft_rt_stream_fits(struct stream *s, uint64_t size)
{
	return !is_closed(s) && may_record(s, size) &&
		has_room(s, s->ring->res + size);
}

static bool
make_room(struct stream *s, uint64_t size, bool must)
{
	bool ok;

	/* the trace has ended; a starting thread is still recorded, the exit
	 * will end it */
	if (is_closed(s) && !must) {
		weft_rt_proc_let_exit();
		return false;
	}
	ok = may_record(s, size) &&
		(has_room(s, s->ring->res + size) ||
			(does_wait(must) && block(s, size)));
	if (!ok && !weft_rt_proc_is_closing())
		weft_rt_stream_lose(s, NULL);
	return ok;
}

bool
weft_rt_stream_room(struct stream *s, uint64_t size)
{
	return make_room(s, size, false);
}

bool
weft_rt_stream_keep(struct stream *s, uint64_t size)
{
	if (s->has_file)
		weft_rt_budget_keep(s, size + 2 * s->format->wait_size);
	return make_room(s, size, true);
}

bool
weft_rt_stream_room_at(struct stream *s, uint64_t size, uint64_t clock,
	bool must, uint64_t waited[2])
{
	uint64_t from;
	bool ok, is_said;

	waited[0] = waited[1] = 0;
	if (is_closed(s)) {
		weft_rt_proc_let_exit();
		return false;
	}
	if (must && s->has_file)
		weft_rt_budget_keep(s, size + 2 * s->format->wait_size);
	ok = may_record(s, size);
	if (ok && !has_room(s, s->ring->res + size)) {
		ok = does_wait(must);
		is_said = ok && may_say(s, 0);
		from = weft_rt_clock_now();
		/* the record of the wait needs room as well */
		ok = ok && wait_for_room(s, size + 2 * s->format->wait_size);
		if (ok && is_said && clock <= from) {
			waited[0] = from;
			waited[1] = weft_rt_clock_now();
		}
	}
	if (!ok && !weft_rt_proc_is_closing())
		weft_rt_stream_lose(s, &clock);
	return ok;
}

uint64_t
weft_rt_stream_lost(const struct stream *s)
{
	uint64_t n, next;

	while (!weft_rt_lost_before(s, UINT64_MAX, &n, &next))
		weft_rt_stream_pause(0);
	return n;
}

bool
weft_rt_stream_drain(struct stream *s)
{
	return weft_rt_config.full == FULL_OVERWRITE ? weft_rt_flight_drain(s)
						     : weft_rt_drain(s);
}

/* Retries at once after an error: a full disk may have room again. */
void
weft_rt_stream_drain_last(struct stream *s)
{
	bool is_me = false;

	WEFT_ASSERT(stream_ends_with_a_ring, s->mem.file);
	while (!weft_rt_drain_claim(s, &is_me) && !is_me)
		weft_rt_drain_wait(s);
	__atomic_store_n(&weft_rt_proc->retry, 0, __ATOMIC_RELAXED);
	s->is_last = true;
	weft_rt_stream_drain(s);
	if (s->mem.file->tail !=
		__atomic_load_n(&s->mem.file->head, __ATOMIC_ACQUIRE)) {
		weft_rt_drain_trim(s);
		lose_rest(s);
	}
}
