/* SPDX-License-Identifier: MIT */
#include "inproc/core/lost.h"

#include <signal.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/clock.h"
#include "inproc/core/guest.h"
#include "inproc/core/held.h"
#include "inproc/core/pause.h"
#include "inproc/core/signals.h"
#include "inproc/core/stream.h"

#define NEVER UINT64_MAX /* no position of a ring */

static struct ringfile_lost *
at_order(const struct stream *s, uint32_t i)
{
	WEFT_ASSERT(interval_has_a_place_in_the_page,
		i < RINGFILE_LOST && s->lost.order[i] < RINGFILE_LOST);
	return &s->mem.file->lost[s->lost.order[i]];
}

/* The page may be read at any moment, even after a crash: so an interval only
 * grows. */
static void
widen(struct ringfile_lost *one, uint64_t to, uint64_t n)
{
	uint64_t was = __atomic_load_n(&one->to, __ATOMIC_RELAXED);

	while (was < to &&
		!__atomic_compare_exchange_n(&one->to, &was, to, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	__atomic_fetch_add(&one->count, n, __ATOMIC_RELAXED);
}

/* Returns the time between the i-th interval and the next; 0 if they overlap,
 * or if the file already has the events that report both. */
static uint64_t
between(const struct stream *s, uint32_t i)
{
	const struct ringfile_lost *a = at_order(s, i), *b = at_order(s, i + 1);

	if (b->from <= a->to ||
		b->to < __atomic_load_n(&s->lost.told, __ATOMIC_RELAXED))
		return 0;
	return b->from - a->to;
}

/* Returns the index in the order for an interval that begins at from. */
static uint32_t
place(const struct stream *s, uint64_t from)
{
	uint32_t i = s->mem.file->nlost;

	while (i > 0 && at_order(s, i - 1)->from > from)
		i--;
	return i;
}

static void
insert(struct stream *s, uint32_t i, uint32_t n, uint8_t slot)
{
	uint8_t *order = s->lost.order;

	WEFT_ASSERT(interval_is_inserted_within_the_order,
		i <= n && n < RINGFILE_LOST && slot < RINGFILE_LOST);
	memmove(&order[i + 1], &order[i], n - i);
	order[i] = slot;
}

/* Joins the two intervals that are closest, removes the second from the order
 * and returns its index in the page. */
static uint8_t
join_closest(struct stream *s)
{
	struct ringfile *f = s->mem.file;
	struct lost *l = &s->lost;
	uint32_t best = 0, n = f->nlost;
	uint8_t free_slot, kept;

	for (uint32_t i = 1; i + 1 < n; i++)
		if (between(s, i) < between(s, best))
			best = i;
	kept = l->order[best];
	free_slot = l->order[best + 1];
	widen(&f->lost[kept], f->lost[free_slot].to, f->lost[free_slot].count);
	memmove(&l->order[best + 1], &l->order[best + 2], n - best - 2);
	if (l->last == free_slot)
		l->last = kept;
	if (l->gap == free_slot)
		l->gap = kept;
	return free_slot;
}

/* Adds an interval when all RINGFILE_LOST are in use. */
static uint8_t
replace(struct stream *s, const struct ringfile_lost *new)
{
	struct ringfile *f = s->mem.file;
	struct lost *l = &s->lost;
	uint8_t slot;

	WEFT_ASSERT(intervals_are_joined_one_after_the_other,
		l->joins % 2 == 0 && f->nlost == RINGFILE_LOST);
	__atomic_store_n(&l->joins, l->joins + 1, __ATOMIC_SEQ_CST);
	slot = join_closest(s);
	/* end first, then the whole: a reader never sees too small an
	 * interval */
	f->lost[slot].to = new->to;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	f->lost[slot] = *new;
	f->nlost--;
	insert(s, place(s, new->from), f->nlost, slot);
	f->nlost++;
	__atomic_store_n(&l->joins, l->joins + 1, __ATOMIC_SEQ_CST);
	return slot;
}

static void
begin_change(struct stream *s)
{
	held_before(RANK_LOST);
	while (__atomic_exchange_n(&s->lost.busy, 1, __ATOMIC_SEQ_CST) != 0)
		weft_rt_pause();
	held_take(RANK_LOST);
}

static void
end_change(struct stream *s)
{
	held_give(RANK_LOST);
	__atomic_store_n(&s->lost.busy, 0, __ATOMIC_RELEASE);
}

/* Adds an interval; returns its index in the page. Call within a change, with
 * all signals blocked. */
static uint8_t
put(struct stream *s, const struct ringfile_lost *new)
{
	struct ringfile *f = s->mem.file;
	uint32_t n = f->nlost;

	WEFT_ASSERT(interval_begins_before_it_ends, new->from <= new->to);
	WEFT_ASSERT(intervals_fit_the_page, n <= RINGFILE_LOST);
	if (n == RINGFILE_LOST &&
		__atomic_load_n(&s->lost.is_extending, __ATOMIC_SEQ_CST)) {
		/* A thread extends an interval, or was interrupted while it did
		 * so, and its index must stay valid: no intervals may be
		 * joined. */
		widen(at_order(s, n - 1), new->to, new->count);
		return s->lost.order[n - 1];
	}
	if (n == RINGFILE_LOST)
		return replace(s, new);
	f->lost[n] = *new;
	insert(s, place(s, new->from), n, (uint8_t)n);
	__atomic_store_n(&f->nlost, n + 1, __ATOMIC_RELEASE);
	return (uint8_t)n;
}

/* Returns true if the last refusal may be extended: nothing was recorded since,
 * and an interrupted call cannot record any more. */
static bool
goes_on(const struct stream *s)
{
	return s->lost.has_last &&
		s->lost.at == __atomic_load_n(&s->ring->res, __ATOMIC_RELAXED);
}

static void
begin(struct stream *s, const uint64_t *clock)
{
	struct lost *l = &s->lost;
	uint64_t time, res;
	sigset_t was;

	signals_block(&was);
	time = clock ? *clock : weft_rt_clock_now();
	res = s->ring->res;
	begin_change(s);
	l->last = put(s, &(struct ringfile_lost){ time, time, 1 });
	end_change(s);
	l->at = *s->ring->head == res ? res : NEVER;
	l->has_last = true;
	signals_restore(&was);
}

void
weft_rt_lost_refused(struct stream *s, const uint64_t *clock)
{
	/* read the clock first: if a handler then records an event, that event
	 * ends this interval */
	uint64_t time = clock ? *clock : weft_rt_clock_now();
	struct lost *l = &s->lost;
	bool was = __atomic_load_n(&l->is_extending, __ATOMIC_RELAXED), is_same;

	/* the thread that changes the order sees this, or we see busy */
	__atomic_store_n(&l->is_extending, true, __ATOMIC_SEQ_CST);
	is_same =
		__atomic_load_n(&l->busy, __ATOMIC_SEQ_CST) == 0 && goes_on(s);
	if (is_same)
		widen(&s->mem.file->lost[l->last], time, 1);
	__atomic_store_n(&l->is_extending, was, __ATOMIC_RELEASE);
	if (!is_same)
		begin(s, clock);
}

void
weft_rt_lost_given_up(struct stream *s, uint64_t from, uint64_t to, uint64_t n)
{
	struct lost *l = &s->lost;

	if (n == 0)
		return;
	guest_lost();
	begin_change(s);
	if (l->has_gap)
		widen(&s->mem.file->lost[l->gap], to, n);
	else
		l->gap = put(s, &(struct ringfile_lost){ from, to, n });
	l->has_gap = true;
	end_change(s);
}

void
weft_rt_lost_unwritten(struct stream *s, uint64_t from, uint64_t to, uint64_t n)
{
	sigset_t was;

	signals_block(&was);
	begin_change(s);
	if (n > 0)
		put(s, &(struct ringfile_lost){ from, to, n });
	end_change(s);
	signals_restore(&was);
}

bool
weft_rt_lost_is_last(const struct stream *s)
{
	return goes_on(s);
}

bool
weft_rt_lost_before(
	const struct stream *s, uint64_t time, uint64_t *n, uint64_t *next)
{
	const struct ringfile *f = s->mem.file;
	uint32_t joins = __atomic_load_n(&s->lost.joins, __ATOMIC_SEQ_CST);
	uint32_t nlost = __atomic_load_n(&f->nlost, __ATOMIC_ACQUIRE);

	*n = 0;
	*next = UINT64_MAX;
	for (uint32_t i = 0; i < nlost; i++) {
		const struct ringfile_lost *one = &f->lost[i];
		uint64_t from = __atomic_load_n(&one->from, __ATOMIC_RELAXED);

		if (from < time)
			*n += __atomic_load_n(&one->count, __ATOMIC_RELAXED);
		else if (from < *next)
			*next = from;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return joins % 2 == 0 &&
		joins == __atomic_load_n(&s->lost.joins, __ATOMIC_SEQ_CST);
}

bool
weft_rt_lost_next(
	const struct stream *s, uint32_t *i, struct ringfile_lost *one)
{
	uint32_t n = s->mem.file ? s->mem.file->nlost : 0;

	if (*i >= n)
		return false;
	*one = *at_order(s, (*i)++);
	while (*i < n && at_order(s, *i)->from < one->to)
		widen(one, at_order(s, *i)->to, at_order(s, *i)->count), ++*i;
	return true;
}
