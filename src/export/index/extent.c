/* SPDX-License-Identifier: MIT */
/*
 * Computes smallest, largest, longest and mean of a window of numbers or ids.
 *
 * The inner part of a window is answered from the extents of blocks, of chunks
 * and of the pyramid over chunks; its two borders are walked. The interval that
 * ends where a record begins belongs to that record. So the extent of a block
 * can be used if all its records, and the record before the block, lie in the
 * window.
 */
#include <string.h>

#include "base/arena.h"
#include "export/index/walk.h"

struct extents {
	struct index_query *q;
	uint32_t series;
	struct index_range range;
	struct index_extent *out;
	struct walk w;
	/* sums up to w.t, where the walk is */
	index_uwide sum;
	int64_t time;
	bool number; /* values are quantities: only then the sums count */
};

static bool
is_valued(const struct walk *w)
{
	return w->any && w->value != VALUE_NONE;
}

static void
see(struct index_extent *e, int64_t value)
{
	if (value == VALUE_NONE)
		return;
	if (!e->some || value < e->min)
		e->min = value;
	if (!e->some || value > e->max)
		e->max = value;
	e->some = true;
}

static void
last(struct index_extent *e, int64_t from, int64_t to, int64_t value)
{
	if (value == VALUE_NONE || to <= from || to - from <= e->longest)
		return;
	e->longest = to - from;
	e->longest_value = value;
}

static void
add_extent(struct index_extent *e, const struct widx_extent *x)
{
	if (x->min <= x->max) {
		see(e, x->min);
		see(e, x->max);
	}
	if (x->longest > e->longest) {
		e->longest = x->longest;
		e->longest_value = x->longest_value;
	}
}

/* Adds the interval of the present value up to t. */
static void
pass(struct extents *x, int64_t t)
{
	const struct walk *w = &x->w;
	int64_t length = (int64_t)((uint64_t)t - (uint64_t)w->t);

	if (!is_valued(w))
		return;
	x->sum += (index_uwide)((index_wide)w->value * length);
	x->time = (int64_t)((uint64_t)x->time + (uint64_t)length);
}

/* Takes one record, and the interval before it, counted from `from` on. */
static bool
take(struct extents *x, struct index_extent *e, int64_t from)
{
	struct walk *w = &x->w;
	int64_t before = w->t, value = w->value, t;
	bool had = w->any, some;

	if (!walk_peek(w, &t))
		return false;
	if (had) {
		pass(x, t);
		last(e, before > from ? before : from, t, value);
	}
	if (!walk_next(w, &some))
		return false;
	if (some)
		see(e, w->value);
	return some || reader_damaged(w->q, w->v.base);
}

static struct widx_extent
block_extent(const struct view *v, uint32_t block)
{
	struct widx_extent e;

	memcpy(&e, v->extent + sizeof e * block, sizeof e);
	return e;
}

/* Adds a chunk that has no extent, record by record: it was written while each
 * class still had one value. */
static bool
walk_chunk(struct extents *x, struct index_extent *e, uint64_t chunk)
{
	struct walk w = x->w;
	uint32_t n;

	/* The first record ends the interval of the record before it. */
	if (!walk_load(&w, chunk - 1) ||
		!walk_enter(&w, (w.v.head.n - 1) / WIDX_BLOCK))
		return false;
	for (bool some = true; w.i < w.v.head.n;)
		if (!walk_next(&w, &some))
			return false;
	n = 0;
	do {
		int64_t before = w.t, value = w.value;
		bool some;

		if (!walk_next(&w, &some))
			return false;
		if (!some)
			return reader_damaged(w.q, w.v.base);
		last(e, before, w.t, value);
		see(e, w.value);
		n++;
	} while (n < w.v.head.n);
	return true;
}

/* Returns where a level of the pyramid begins: the number of extents before. */
static uint64_t
level_at(uint64_t n, int level)
{
	uint64_t at = 0;

	while (level-- > 0) {
		at += n;
		n = (n + WIDX_FAN - 1) / WIDX_FAN;
	}
	return at;
}

/* Finds the largest part of the pyramid that begins at a chunk and ends at
 * `to` at the latest. Returns its number of chunks and sets its extent. */
static uint64_t
pyramid(const struct walk *w, uint64_t chunk, uint64_t to,
	struct widx_extent *e)
{
	const struct index *ix = w->q->ix;
	uint64_t step = 1, at;
	int level = 0;

	while (chunk % (step * WIDX_FAN) == 0 &&
		chunk + step * WIDX_FAN <= to) {
		step *= WIDX_FAN;
		level++;
	}
	for (;; level--, step /= WIDX_FAN) {
		at = w->s.extent + level_at(w->s.nchunks, level) + chunk / step;
		if (at >= ix->extents.n)
			*e = (struct widx_extent){ INT64_MAX, INT64_MIN, -1,
				0 };
		else
			*e = ix->extents.at[at];
		if (e->longest >= 0 || level == 0)
			return step;
	}
}

static bool
add_chunks(
	struct extents *x, struct index_extent *e, uint64_t from, uint64_t to)
{
	while (from < to) {
		struct widx_extent sum;
		uint64_t n = pyramid(&x->w, from, to, &sum);

		if (!walk_pay(x->q, 1))
			return false;
		if (sum.longest >= 0)
			add_extent(e, &sum);
		else if (!walk_chunk(x, e, from))
			return false;
		from += n;
	}
	return true;
}

/* Sets the sums at the start of a block, whose first record was taken. */
static bool
enter(struct extents *x, uint32_t block)
{
	struct walk *w = &x->w;
	bool some;

	if (!walk_enter(w, block) || !walk_next(w, &some))
		return false;
	if (x->number) {
		struct widx_total total;

		memcpy(&total, w->v.total + sizeof total * block, sizeof total);
		x->sum = (index_uwide)total.high << 64 | total.low;
		x->time = total.time;
	}
	return true;
}

/* Takes the rest of the block, or its records before t. */
static bool
walk_block(struct extents *x, int64_t t)
{
	struct walk *w = &x->w;
	bool some;
	int64_t next;

	while (w->i < w->v.head.n && w->i % WIDX_BLOCK != 0) {
		if (!walk_peek(w, &next))
			return false;
		if (next >= t)
			return true;
		pass(x, next);
		if (!walk_next(w, &some))
			return false;
	}
	return true;
}

/* Moves past all records with time < t. */
static bool
seek(struct extents *x, int64_t t)
{
	struct walk *w = &x->w;
	uint64_t chunk;

	if (!walk_find_chunk(w, t, &chunk))
		return walk_load(w, 0) && walk_enter(w, 0);
	return walk_load(w, chunk) && enter(x, walk_find_block(&w->v, t)) &&
		walk_block(x, t);
}

/* At the start of a block: adds whole blocks and chunks before b, and stops at
 * the end of the last of them. */
static bool
skip(struct extents *x, struct index_extent *e, int64_t b)
{
	struct walk *w = &x->w;
	uint64_t chunk;
	uint32_t from, to;

	if (w->i == w->v.head.n) {
		uint64_t next = w->chunk + 1;

		if (!walk_find_chunk(w, b, &chunk) || chunk <= next)
			return true;
		if (!add_chunks(x, e, next, chunk))
			return false;
		return walk_load(w, chunk - 1) &&
			enter(x, (w->v.head.n - 1) / WIDX_BLOCK) &&
			walk_block(x, INT64_MAX);
	}
	from = w->i / WIDX_BLOCK;
	to = walk_find_block(&w->v, b);
	if (w->v.extent == NULL || to < from + 2)
		return true;
	for (uint32_t i = from; i < to; i++) {
		struct widx_extent sum = block_extent(&w->v, i);

		add_extent(e, &sum);
	}
	return enter(x, to - 1) && walk_block(x, INT64_MAX);
}

/* Returns sum / time, rounded half to even; |sum| <= 2^63 * time. */
static int64_t
divide(index_wide sum, int64_t time)
{
	index_wide quotient = sum / time, rest = sum % time, twice;

	twice = 2 * (rest < 0 ? -rest : rest);
	if (twice > time || (twice == time && quotient % 2 != 0))
		quotient += sum < 0 ? -1 : 1;
	return (int64_t)quotient;
}

/* Sets the sums at t, which is not before the last record. */
static void
sums(const struct extents *x, int64_t t, index_uwide *sum, int64_t *time)
{
	struct extents at = *x;

	pass(&at, t);
	*sum = at.sum;
	*time = at.time;
}

/* Returns true at the start of a block, from where a jump may save work. */
static bool
is_at_border(const struct walk *w)
{
	return w->i == w->v.head.n || w->i % WIDX_BLOCK == 0;
}

/* Takes the records before b; their intervals are cut at a. */
static bool
take_all(struct extents *x, struct index_extent *e, int64_t a, int64_t b)
{
	int64_t t;

	for (bool taken = false; walk_peek(&x->w, &t); taken = true) {
		if (t >= b)
			return true;
		if (taken && is_at_border(&x->w)) {
			if (!skip(x, e, b) || !walk_peek(&x->w, &t))
				return false;
			if (t >= b)
				return true;
		}
		if (!take(x, e, a))
			return false;
	}
	return false;
}

/* Takes the records of [a, b); the walk has reached a. */
static bool
window(struct extents *x, struct index_extent *e, int64_t a, int64_t b)
{
	struct walk *w = &x->w;
	int64_t t;

	if (!walk_peek(w, &t))
		return false;
	if (w->any && t > a)
		see(e, w->value);
	if (!take_all(x, e, a, b))
		return false;
	if (w->any)
		last(e, w->t > a ? w->t : a, b, w->value);
	e->last = w->any ? w->value : VALUE_NONE;
	return true;
}

static bool
column(struct extents *x, struct index_extent *e, int64_t a, int64_t b)
{
	index_uwide sum_a, sum_b;
	int64_t time_a, time_b;
	uint64_t before = x->w.any ? walk_number(&x->w) : 0;

	sums(x, a, &sum_a, &time_a);
	if (!window(x, e, a, b))
		return false;
	sums(x, b, &sum_b, &time_b);
	e->changes = (x->w.any ? walk_number(&x->w) : 0) - before;
	if (!x->number)
		return true;
	e->sum = (index_wide)(sum_b - sum_a);
	e->time = (int64_t)((uint64_t)time_b - (uint64_t)time_a);
	if (e->time < 0 || e->time > b - a)
		return reader_damaged(x->q, x->w.v.base);
	if (e->time > 0)
		e->mean = divide(e->sum, e->time);
	return true;
}

static int64_t
clip(int64_t t, int64_t end)
{
	return t < 0 ? 0 : t > end ? end : t;
}

static bool
extents(void *arg)
{
	struct extents *x = arg;
	int64_t end = x->q->ix->meta.end, from = x->range.from, next;
	bool begun = false;

	if (!walk_open(&x->w, x->q, x->series))
		return false;
	x->number = (x->w.s.flags & WIDX_NUMBER) != 0;
	for (int i = 0; i < x->range.n; i++, from = next) {
		int64_t a, b;

		if (__builtin_add_overflow(from, x->range.width, &next))
			next = INT64_MAX;
		a = clip(from, end);
		b = clip(next, end);
		if (a >= b)
			continue;
		if (!begun && !seek(x, a))
			return false;
		begun = true;
		if (!column(x, &x->out[i], a, b))
			return false;
	}
	return true;
}

bool
index_extents(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_extent **out)
{
	struct extents x = { .q = q,
		.series = series,
		.range = range,
		.out = ARENA_ARRAY(a, struct index_extent, range.n) };

	*out = x.out;
	for (int i = 0; i < range.n; i++)
		x.out[i].mean = x.out[i].last = VALUE_NONE;
	return reader_query(q, extents, &x);
}
