/* SPDX-License-Identifier: MIT */
#include "export/index/sums.h"

#include <string.h>

#include "base/arena.h"

/* Reading this many records costs as much as the sums of one column. */
#define RECORDS_A_COLUMN 8

struct adding {
	struct sums *s;
	struct index_query *q;
	uint32_t series;
	int64_t stop; /* end of the range, or of the trace */
	/* The column where the walk is, and its end. */
	int64_t column, column_end;
};

void
sums_init(struct sums *s, struct arena *a, int n)
{
	size_t all = ((size_t)n + 1) * INDEX_CLASSES;

	*s = (struct sums){ .time = ARENA_ARRAY(a, uint64_t, all),
		.fills = ARENA_ARRAY(a, uint64_t, all),
		.changes = ARENA_ARRAY(a, uint64_t, n) };
}

void
sums_begin(struct sums *s, struct index_range range, int64_t end)
{
	size_t all = ((size_t)range.n + 1) * INDEX_CLASSES;

	memset(s->time, 0, all * sizeof *s->time);
	memset(s->fills, 0, all * sizeof *s->fills);
	memset(s->changes, 0, (size_t)range.n * sizeof *s->changes);
	s->range = range;
	s->end = end;
}

/* Moves to the column that contains t, which is in the range. */
static void
move(struct adding *a, int64_t t)
{
	const struct index_range *r = &a->s->range;

	if (t < a->column_end)
		return;
	a->column = (t - r->from) / r->width;
	/* After an overflow the end is beyond the stop, where its value is not
	 * used. */
	if (__builtin_add_overflow(
		    r->from + a->column * r->width, r->width, &a->column_end))
		a->column_end = INT64_MAX;
}

/* Adds the class in [from, to); from lies in the present column. */
static void
put(struct adding *a, uint8_t class, int64_t from, int64_t to)
{
	struct sums *s = a->s;
	int64_t first = a->column, border = a->column_end;

	if (class == INDEX_CLASS_NONE || to <= from)
		return;
	if (to <= border) {
		s->time[first * INDEX_CLASSES + class] += (uint64_t)(to - from);
		return;
	}
	s->time[first * INDEX_CLASSES + class] += (uint64_t)(border - from);
	move(a, to - 1);
	s->time[a->column * INDEX_CLASSES + class] +=
		(uint64_t)(to - (s->range.from + a->column * s->range.width));
	s->fills[(first + 1) * INDEX_CLASSES + class]++;
	s->fills[a->column * INDEX_CLASSES + class]--;
}

/* Adds record by record, from the start of the range. */
static bool
walk(struct adding *a, struct walk *w)
{
	struct sums *s = a->s;
	int64_t since = s->range.from, t;
	uint8_t class = INDEX_CLASS_NONE;
	uint64_t number = walk_number(w);
	bool some;

	if (w->any)
		class = view_class(&w->v, w->slot);
	a->column = 0;
	a->column_end = since;
	move(a, since);
	for (;;) {
		if (!walk_peek(w, &t))
			return false;
		if (t >= a->stop)
			break;
		if (t < since)
			return reader_damaged(a->q, w->v.base);
		put(a, class, since, t);
		move(a, t);
		s->changes[a->column]++;
		since = t;
		if (!walk_next(w, &some))
			return false;
		class = view_class(&w->v, w->slot);
	}
	put(a, class, since, a->stop);
	s->work += walk_number(w) - number + 1;
	return true;
}

static bool
sweep(struct adding *a)
{
	struct sums *sums = a->s;
	struct sweep s;
	struct sweep_columns next = { .sweep = &s,
		.from = sums->range.from,
		.width = sums->range.width,
		.end = sums->end };

	if (!sweep_open(&s, a->q, a->series))
		return false;
	sums->work += (uint64_t)sums->range.n;
	for (int i = 0; i < sums->range.n; i++) {
		uint64_t *time = &sums->time[(size_t)i * INDEX_CLASSES];
		int64_t from, to;

		if (!sweep_column(&next, &from, &to))
			return false;
		if (from >= to)
			continue;
		for (unsigned slot = 0; slot < s.nseen; slot++) {
			uint64_t part = sweep_part(&s, slot);

			if (!s.point && part > (uint64_t)(to - from))
				return reader_damaged(a->q, s.w.v.base);
			time[view_class(&s.w.v, slot)] += part;
		}
		sums->changes[i] += s.number - s.number_before;
	}
	return walk_pay(a->q, sums->range.n);
}

/* Returns about how many records the range has. */
static uint64_t
estimate(const struct walk *w, int64_t stop)
{
	uint64_t chunk = w->chunk;
	uint32_t block;

	walk_find_chunk(w, stop, &chunk);
	if (chunk != w->chunk)
		return (chunk - w->chunk) * WIDX_CHUNK;
	block = walk_find_block(&w->v, stop);
	return ((uint64_t)block + 1) * WIDX_BLOCK - w->i;
}

static bool
add(void *arg)
{
	struct adding *a = arg;
	const struct index_range *r = &a->s->range;
	struct walk w;

	if (r->from >= a->stop)
		return true;
	if (!walk_open(&w, a->q, a->series))
		return false;
	if ((w.s.flags & (WIDX_POINT | WIDX_NUMBER)) != 0 || r->from < 0)
		return sweep(a);
	if (!walk_seek(&w, r->from))
		return false;
	if (estimate(&w, a->stop) > (uint64_t)r->n * RECORDS_A_COLUMN)
		return sweep(a);
	return walk(a, &w);
}

bool
sums_add(struct sums *s, struct index_query *q, uint32_t series)
{
	struct adding a = { .s = s, .q = q, .series = series };

	if (__builtin_mul_overflow(s->range.width, s->range.n, &a.stop) ||
		__builtin_add_overflow(s->range.from, a.stop, &a.stop) ||
		a.stop > s->end)
		a.stop = s->end;
	return reader_query(q, add, &a);
}

void
sums_end(struct sums *s)
{
	uint64_t fills[INDEX_CLASSES] = { 0 };
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = s->end
	};

	for (int i = 0; i < s->range.n; i++) {
		size_t at = (size_t)i * INDEX_CLASSES;
		int64_t from, to;

		sweep_column(&next, &from, &to);
		for (int class = 0; class < INDEX_CLASS_NONE; class ++) {
			fills[class] += s->fills[at + (size_t) class];
			if (fills[class] != 0 && from < to)
				s->time[at + (size_t) class] +=
					fills[class] * (uint64_t)(to - from);
		}
	}
}
