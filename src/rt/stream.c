/* SPDX-License-Identifier: MIT */
#include "rt/stream.h"

#include <signal.h>
#include <time.h>

#include "rt/clock.h"
#include "rt/drain.h"
#include "rt/flight.h"
#include "rt/proc.h"
#include "rt/writer.h"

void
weft_rt_stream_set_up(struct stream *s, int tid, uint64_t start)
{
	struct ringfile *f = s->mem.file;

	weft_rt_ring_reset(&s->mem, weft_rt_proc->pid, tid, start);
	s->ring->res = start;
	s->ring->head = &f->head;
	s->ring->base = s->mem.data;
	s->ring->mask = f->size - 1;
	s->ring->limit = 0; /* the first event asks for room */
	weft_rt_clock_attach(s->ring);
}

void
weft_rt_stream_list(struct stream *s)
{
	s->next = weft_rt_proc->streams;
	weft_rt_proc->streams = s;
}

void
weft_rt_stream_unlist(struct stream *s)
{
	struct stream **at = &weft_rt_proc->streams;

	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
}

void
weft_rt_stream_count(struct stream *s, uint64_t time, bool *goes_on)
{
	struct ringfile *f = s->mem.file;
	struct ringfile_lost *last;
	uint32_t n = f->nlost;

	/* the writer adds them up at the same time */
	if (!*goes_on && n < RINGFILE_LOST) {
		f->lost[n] = (struct ringfile_lost){ .from = time };
		__atomic_store_n(&f->nlost, ++n, __ATOMIC_RELEASE);
	}
	*goes_on = true;
	last = &f->lost[n - 1];
	last->to = time;
	__atomic_fetch_add(&last->count, 1, __ATOMIC_RELAXED);
}

void
weft_rt_stream_lose(struct stream *s)
{
	__atomic_fetch_add(&weft_rt_proc->lost, 1, __ATOMIC_RELAXED);
	if (s->mem.file)
		weft_rt_stream_count(s, weft_rt_clock_now(), &s->is_losing);
}

/* What never got to the file is lost as well. */
static void
lose_rest(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	struct ringfile_lost lost = { 0 };
	const unsigned char *record;

	for (uint64_t at = f->tail; at < f->head;
		at += s->format->size(s, record)) {
		record = weft_rt_stream_record(s, at);
		lost.to = s->format->time(s, record);
		if (lost.count++ == 0)
			lost.from = lost.to;
	}
	__atomic_fetch_add(&weft_rt_proc->lost, lost.count, __ATOMIC_RELAXED);
	if (f->nlost < RINGFILE_LOST)
		f->lost[f->nlost++] = lost;
	else
		f->lost[f->nlost - 1].count += lost.count;
}

/* Half of the ring is the mark at which the writer should be at work. */
static bool
is_room(struct stream *s, uint64_t end)
{
	struct ringfile *f = s->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);
	uint64_t full = tail + f->size - RING_SLACK;

	if (end <= tail + f->size / 2) {
		s->ring->limit = tail + f->size / 2;
		return true;
	}
	weft_rt_writer_wake();
	if (end > full)
		return false;
	s->ring->limit = end + f->size / 16 < full ? end + f->size / 16 : full;
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
			__builtin_ia32_pause();
}

/* A handler that came in while its thread makes room has the end of the ring,
 * but for what its own handlers may need. */
static bool
fits_slack(const struct stream *s, uint64_t end)
{
	const struct ringfile *f = s->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_ACQUIRE);

	return end <= tail + f->size - RING_SLACK / 8;
}

enum turn { TURN_DONE, TURN_FAILED, TURN_OTHER, TURN_MINE };

/* Does the writer's work, if nobody else does. Handlers have to wait: a write
 * takes long, and they have only the end of the ring meanwhile. */
static enum turn
drain_here(struct stream *s)
{
	enum turn turn = TURN_DONE;
	bool is_me = false;
	sigset_t all, was;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	if (!weft_rt_drain_take(s, &is_me)) {
		turn = is_me ? TURN_MINE : TURN_OTHER;
	} else {
		if (!weft_rt_drain(s))
			turn = TURN_FAILED;
		else if (s->mem.file->tail != *s->ring->head)
			turn = TURN_OTHER;
		weft_rt_drain_give(s);
	}
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return turn;
}

/* The ring is full: waits for the writer, or does its work. A handler can't
 * wait for what it interrupted: a drain, or an event that is not whole. */
static bool
wait_for_room(struct stream *s, uint64_t size)
{
	for (unsigned n = 0; !weft_rt_proc->is_closing; n++) {
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

/* Tells the timeline that the thread stood still, and that it knows. */
static bool
block(struct stream *s, uint64_t size)
{
	uint64_t said = s->format->wait_size;
	bool is_said = *s->ring->head == s->ring->res &&
		__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) == 0 &&
		fits_slack(s, s->ring->res + 2 * said);
	bool ok;

	if (is_said)
		s->format->wait(s, true);
	ok = wait_for_room(s, size + said);
	if (is_said)
		s->format->wait(s, false);
	return ok;
}

bool
weft_rt_stream_is_over(void)
{
	return weft_rt_config.max_bytes != 0 &&
		weft_rt_proc->written >= weft_rt_config.max_bytes;
}

/* Who drops events drops them because the writer is late, not for want of
 * one. */
static bool
does_wait(void)
{
	return weft_rt_config.full == FULL_BLOCK || !weft_rt_config.has_writer;
}

bool
weft_rt_stream_room(struct stream *s, uint64_t size)
{
	uint64_t end = s->ring->res + size;
	bool ok;

	if (weft_rt_proc->is_closing)
		return false; /* the trace has ended */
	if (!s->has_file) {
		weft_rt_stream_lose(s);
		return false;
	}
	if (weft_rt_config.full == FULL_OVERWRITE)
		ok = weft_rt_flight_room(s, end);
	else if (weft_rt_stream_is_over())
		ok = false;
	else
		ok = is_room(s, end) || (does_wait() && block(s, size));
	if (ok)
		s->is_losing = false;
	else if (!weft_rt_proc->is_closing)
		weft_rt_stream_lose(s);
	return ok;
}

uint64_t
weft_rt_stream_lost(const struct stream *s)
{
	const struct ringfile *f = s->mem.file;
	uint32_t nlost = __atomic_load_n(&f->nlost, __ATOMIC_ACQUIRE);
	uint64_t n = 0;

	for (uint32_t i = 0; i < nlost; i++)
		n += __atomic_load_n(&f->lost[i].count, __ATOMIC_RELAXED);
	return n;
}

bool
weft_rt_stream_drain(struct stream *s)
{
	return weft_rt_config.full == FULL_OVERWRITE ? weft_rt_flight_drain(s)
						     : weft_rt_drain(s);
}

/* A disk that is full now may have had room made. */
void
weft_rt_stream_drain_last(struct stream *s)
{
	bool is_me = false;

	for (unsigned turn = 0; !weft_rt_drain_take(s, &is_me) && !is_me;
		turn++)
		weft_rt_stream_pause(turn);
	__atomic_store_n(&weft_rt_proc->retry, 0, __ATOMIC_RELAXED);
	weft_rt_stream_drain(s);
	if (s->mem.file->tail != s->mem.file->head) {
		weft_rt_drain_trim(s);
		lose_rest(s);
		s->is_losing = true;
	}
}
