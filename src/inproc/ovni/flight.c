/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/flight.h"

#include <signal.h>
#include <string.h>

#include "inproc/core/budget.h"
#include "inproc/core/drain.h"
#include "inproc/core/lost.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/thread.h"

/* At most OHr, OHe, OHx, OHp, OHw; a gap is larger, so that positions behind
 * it stay ahead of the file's. */
enum { RESUME = 128 };

static void
pass(struct flight_state *s, const unsigned char *record)
{
	bool has_cpu = (record[0] & 15) >= 3;

	s->time = record_time(record);
	if (record[1] != 'O')
		return;
	if (record[2] == 'H' && record[3] != '\0' &&
		strchr("xprcwe", record[3]))
		s->last = (char)record[3];
	if (has_cpu &&
		((record[2] == 'H' && record[3] == 'x') ||
			(record[2] == 'A' && record[3] == 's')))
		memcpy(&s->cpu, record + RECORD_HEAD, sizeof(s->cpu));
}

/* What says waits, and the start of a thread that began by itself: that is
 * written again before what is kept. */
static bool
is_ours(const struct thread *th, const unsigned char *record)
{
	if (record[1] != 'O')
		return false;
	return record[2] == 'F' ||
		(th->is_auto && record[2] == 'H' && record[3] == 'x');
}

bool
weft_rt_flight_pass(
	struct stream *s, const unsigned char *record, bool is_written)
{
	struct thread *th = (struct thread *)s;
	struct flight *f = &th->flight;

	pass(is_written ? &f->written : &f->oldest, record);
	return is_ours(th, record);
}

/* Gives up one record, which is lost unless the file has it; says where the
 * next one begins. */
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

/* Gives up what lies before a position, and so much that the file's end and
 * what is kept are at least RESUME apart. The ring is taken. */
static void
give_up_to(struct stream *s, uint64_t want)
{
	struct ringfile *f = s->mem.file;
	struct ringfile_lost lost = { 0 };
	uint64_t head = *s->ring->head, first = f->first;
	sigset_t all, was;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	while (first < head &&
		(first < want || (first > f->tail && first < f->tail + RESUME)))
		first = give_up(s, first, &lost);
	__atomic_store_n(&f->first, first, __ATOMIC_RELEASE);
	weft_rt_lost_given_up(s, lost.from, lost.to, lost.count);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
}

bool
weft_rt_flight_room(struct stream *s, uint64_t end)
{
	struct ringfile *f = s->mem.file;
	uint64_t room = f->size - RING_SLACK, first = f->first;
	uint64_t want = end > room ? end - room + f->size / 16 : 0;
	bool is_me = false;

	if (end > first + room) {
		if (!weft_rt_drain_take(s, &is_me))
			return false; /* it is being written out */
		give_up_to(s, want);
		first = f->first;
		weft_rt_drain_give(s);
	}
	weft_rt_ring_allow(s->ring, first + room);
	return end <= first + room;
}

static size_t
put(unsigned char *to, char letter, uint64_t time)
{
	const unsigned char first[4] = { 0, 'O', 'H', (unsigned char)letter };

	memcpy(to, first, 4);
	memcpy(to + 4, &time, 8);
	return RECORD_HEAD;
}

static size_t
put_start(unsigned char *to, int32_t cpu, uint64_t time)
{
	const int32_t where[4] = { cpu, -1, 0, 0 };
	size_t n = put(to, 'x', time);

	to[0] = sizeof(where) - 1;
	memcpy(to + n, where, sizeof(where));
	return n + sizeof(where);
}

/* Ends the thread where the file ends, and starts it where the kept begin. */
static size_t
resume(const struct thread *th, unsigned char to[RESUME])
{
	const struct flight_state *old = &th->flight.written;
	const struct flight_state *now = &th->flight.oldest;
	const struct ringfile *f = th->stream.mem.file;
	uint64_t time = f->first < f->head
		? record_time(weft_rt_stream_record(&th->stream, f->first))
		: now->time;
	size_t n = 0;

	if (old->last == 'p' || old->last == 'w')
		n += put(to + n, 'r', old->time);
	if (old->last != 0 && old->last != 'e')
		n += put(to + n, 'e', old->time);
	if (now->last == 0 || now->last == 'e')
		return n;
	n += put_start(to + n, now->cpu, time);
	if (now->last == 'p' || now->last == 'w')
		n += put(to + n, 'p', time);
	if (now->last == 'c' || now->last == 'w')
		n += put(to + n, now->last, time);
	return n;
}

bool
weft_rt_flight_bridge(struct stream *s)
{
	struct thread *th = (struct thread *)s;
	unsigned char events[RESUME];
	size_t n = resume(th, events);

	if (n > 0 && !weft_rt_drain_direct(s, events, n, NULL, 0))
		return false;
	th->flight.written = th->flight.oldest;
	return true;
}

/* What was given up since the last time is missing in the file. */
static bool
skip(struct stream *s)
{
	struct ringfile *f = s->mem.file;

	if (s->format->bridge && !s->format->bridge(s))
		return false;
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
	uint64_t at, n = f->head - (f->first > f->tail ? f->first : f->tail);
	bool ok;

	if (weft_rt_budget_share(n) < n)
		give_up_to(s, f->head - weft_rt_budget_share(n));
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
