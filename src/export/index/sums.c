/* SPDX-License-Identifier: MIT */
#include "export/index/sums.h"

#include <string.h>

#include "base/arena.h"
#include "export/index/records.h"

struct adding {
	struct sums *s;
	struct index_query *q;
	uint32_t series;
	int64_t stop; /* end of the range, or of the trace */
	/* The column that the walk has reached, and its end. */
	int64_t column, column_end;
	/* The interval that the walk is in. */
	int64_t since;
	uint64_t *row; /* times of the interval's class, by column */
	/* Times by slot of the chunk; the last one is for slots that do not
	 * exist. */
	uint64_t *rows[INDEX_CLASSES + 1];
};

void
sums_init(struct sums *s, struct arena *a, int n)
{
	memset(s, 0, sizeof *s);
	s->arena = a;
	s->room = n;
	s->changes = ARENA_ARRAY(a, uint64_t, n);
}

struct sums *
sums_of(struct index_query *q, struct arena *a, int n)
{
	struct sums *s = q->sums;

	if (s != NULL && s->room >= n)
		return s;
	s = ARENA_NEW(a, struct sums);
	sums_init(s, a, n);
	return s;
}

void
sums_begin(struct sums *s, struct index_range range, int64_t end)
{
	memset(s->used, 0, sizeof s->used);
	memset(s->filled, 0, sizeof s->filled);
	memset(s->changes, 0, (size_t)range.n * sizeof *s->changes);
	s->n = 0;
	s->range = range;
	s->end = end;
}

void
sums_use(struct sums *s, uint8_t class)
{
	size_t room = (size_t)s->room + 1, used = (size_t)s->range.n + 1;

	if (s->row[class] == NULL)
		s->row[class] = ARENA_ARRAY(s->arena, uint64_t, 2 * room);
	memset(s->row[class], 0, used * sizeof **s->row);
	s->used[class] = true;
	if (class != INDEX_CLASS_NONE)
		s->class[s->n++] = class;
}

/* Moves to the column that contains t, which is in the range. */
static void
move(struct adding *a, int64_t t)
{
	const struct index_range *r = &a->s->range;

	if (t < a->column_end)
		return;
	if (t - a->column_end < r->width)
		a->column++;
	else
		a->column = (t - r->from) / r->width;
	/* After an overflow the end is beyond the stop, where its value is not
	 * used. */
	if (__builtin_add_overflow(
		    r->from + a->column * r->width, r->width, &a->column_end))
		a->column_end = INT64_MAX;
}

/* Returns where the class of the present interval begins to fill columns. */
static uint64_t *
use_fills(const struct adding *a, uint8_t class)
{
	struct sums *s = a->s;
	uint64_t *fills = a->row + s->room + 1;

	if (!s->filled[class])
		memset(fills, 0, ((size_t)s->range.n + 1) * sizeof *fills);
	s->filled[class] = true;
	return fills;
}

/* Adds the present interval until t, which is not in the present column. */
static __attribute__((noinline)) void
put_far(struct adding *a, uint8_t class, int64_t t)
{
	const struct sums *s = a->s;
	int64_t first = a->column;

	if (t == a->column_end) {
		a->row[first] += (uint64_t)(t - a->since);
	} else {
		a->row[first] += (uint64_t)(a->column_end - a->since);
		move(a, t - 1);
		a->row[a->column] += (uint64_t)(t -
			(s->range.from + a->column * s->range.width));
		if (a->column > first + 1) {
			uint64_t *fills = use_fills(a, class);

			fills[first + 1]++;
			fills[a->column]--;
		}
	}
	move(a, t);
}

/* Adds the present interval, which begins in the present column, until t. */
static inline void
put(struct adding *a, const struct walk *w, int64_t t)
{
	if (__builtin_expect(t < a->column_end, 1))
		a->row[a->column] += (uint64_t)(t - a->since);
	else if (t > a->since)
		put_far(a,
			w->any ? view_class(&w->v, w->slot) : INDEX_CLASS_NONE,
			t);
	else
		move(a, t);
	a->since = t;
}

/* Forgets the rows of the chunk before. */
static void
use_chunk(struct adding *a, const struct view *v)
{
	memset(a->rows, 0, (v->head.nseen + 1U) * sizeof *a->rows);
}

static __attribute__((noinline)) void
find_row(struct adding *a, const struct view *v, unsigned slot)
{
	a->rows[slot] = sums_row(a->s, view_class(v, slot));
}

/* Begins the interval of a record. */
static inline void
begin_interval(struct adding *a, const struct view *v, uint8_t slot)
{
	unsigned known = slot < v->head.nseen ? slot : v->head.nseen;

	if (__builtin_expect(a->rows[known] == NULL, 0))
		find_row(a, v, known);
	a->row = a->rows[known];
}

/* Kinds of records: constants where add_block() is called. */
enum add_kind {
	ADD_QUICK,  /* slots below 128, without values: see records.h */
	ADD_PLAIN,  /* slots of any size */
	ADD_VALUES, /* some records contain a value */
};

/* Adds the records before `stop` in the rest of a block; the walk stands in it.
 */
static inline __attribute__((always_inline)) bool
add_block(struct adding *a, struct walk *w, uint32_t last, enum add_kind kind)
{
	const struct view *v = &w->v;
	struct records r = records_of(w->at);
	const uint8_t *end = v->end;
	uint64_t *changes = a->s->changes, *row = a->row;
	int64_t stop = a->stop, t = a->since, column = a->column;
	int64_t column_end = a->column_end, before = w->t;
	uint32_t i = w->i;
	uint8_t slot = w->slot;

	for (; i < last && r.at < end; i++) {
		const uint8_t *at = r.at;
		uint8_t next;
		int64_t time = (int64_t)((uint64_t)before +
			(kind == ADD_QUICK ? records_next(&r, &next)
					   : records_plain(&r, &next)));

		if (time >= stop) {
			r.at = at;
			break;
		}
		if (time < t)
			return reader_damaged(a->q, v->base);
		if (__builtin_expect(time < column_end, 1)) {
			row[column] += (uint64_t)(time - t);
		} else {
			w->slot = slot;
			a->since = t;
			put(a, w, time);
			column = a->column;
			column_end = a->column_end;
		}
		before = t = time;
		changes[column]++;
		slot = next;
		if (kind == ADD_VALUES)
			r.at = view_after(v, slot, r.at);
		begin_interval(a, v, slot);
		row = a->row;
	}
	w->t = before;
	a->since = t;
	w->slot = slot;
	w->i = i;
	w->at = r.at;
	return i == last || r.at < end || reader_damaged(a->q, v->base);
}

/* Takes the first record of a block. Sets *some if it is before `stop`. */
static bool
begin_block(struct adding *a, struct walk *w, bool *some)
{
	int64_t t;

	*some = false;
	if (!walk_peek(w, &t))
		return false;
	if (t >= a->stop)
		return true;
	if (t < a->since)
		return reader_damaged(a->q, w->v.base);
	put(a, w, t);
	if (!walk_next(w, some))
		return false;
	if (w->i == 1)
		use_chunk(a, &w->v);
	a->s->changes[a->column]++;
	begin_interval(a, &w->v, w->slot);
	return true;
}

/* Begins with the interval at the start of the range. */
static void
begin_walk(struct adding *a, const struct walk *w)
{
	const struct sums *s = a->s;

	a->since = s->range.from;
	a->column = -1;
	a->column_end = a->since;
	move(a, a->since);
	use_chunk(a, &w->v);
	a->row = sums_row(a->s, INDEX_CLASS_NONE);
	if (w->any)
		begin_interval(a, &w->v, w->slot);
}

/* Adds the rest of a block. Sets *some if more blocks may follow. */
static bool
end_block(struct adding *a, struct walk *w, bool *some)
{
	uint32_t from = w->i, last = (from | (WIDX_BLOCK - 1)) + 1;
	bool ok;

	if (last > w->v.head.n)
		last = w->v.head.n;
	if ((w->v.head.flags & WIDX_EXTENTS) != 0)
		ok = add_block(a, w, last, ADD_VALUES);
	else if (w->v.head.nseen > RECORDS_SLOTS)
		ok = add_block(a, w, last, ADD_PLAIN);
	else
		ok = add_block(a, w, last, ADD_QUICK);
	if (!ok)
		return false;
	*some = w->i == last;
	return walk_pay(a->q, w->i - from);
}

/* Adds record by record, from the start of the range. */
static bool
walk(struct adding *a, struct walk *w)
{
	bool some = true;

	begin_walk(a, w);
	while (some) {
		bool at_block = w->i % WIDX_BLOCK == 0 || w->i == w->v.head.n;

		if (!(at_block ? begin_block(a, w, &some)
			       : end_block(a, w, &some)))
			return false;
	}
	put(a, w, a->stop);
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
	for (int i = 0; i < sums->range.n; i++) {
		uint64_t left;
		int64_t from, to;

		if (!sweep_column(&next, &from, &to))
			return false;
		if (from >= to)
			continue;
		left = (uint64_t)(to - from);
		for (unsigned slot = 0; slot < s.nseen; slot++) {
			uint64_t part = sweep_part(&s, slot);

			if (part == 0)
				continue;
			if (!s.point && part > left)
				return reader_damaged(a->q, s.w.v.base);
			left -= part;
			sums_row(sums, view_class(&s.w.v, slot))[i] += part;
		}
		sums->changes[i] += s.number - s.number_before;
	}
	return walk_pay(a->q, sums->range.n);
}

/* Returns roughly how many records the range has. */
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

/* Adds one series; w was opened for it. */
static bool
add_one(struct adding *a, struct walk *w)
{
	const struct index_range *r = &a->s->range;

	if (r->from >= a->stop)
		return true;
	if ((w->s.flags & (WIDX_POINT | WIDX_NUMBER)) != 0 || r->from < 0)
		return sweep(a);
	if (!walk_seek(w, r->from))
		return false;
	if (estimate(w, a->stop) > (uint64_t)r->n * SUMS_RECORDS)
		return sweep(a);
	return walk(a, w);
}

/* Several series that are added one after the other. */
struct several {
	struct adding a;
	const uint32_t *series;
	size_t n;
	struct walk walk[SUMS_AT_ONCE];
};

/*
 * Opens the walks, and loads their chunks and the blocks where the range
 * begins. The bytes of each series lie elsewhere in the file. So the processor
 * is asked to fetch the blocks of all series before the first block is read.
 */
static bool
open_walks(struct several *v)
{
	const struct adding *a = &v->a;
	int64_t from = a->s->range.from;
	uint64_t chunk[SUMS_AT_ONCE];

	for (size_t i = 0; i < v->n; i++) {
		chunk[i] = 0;
		if (!walk_open(&v->walk[i], a->q, v->series[i]))
			return false;
		if (v->n == 1)
			return true;
		walk_find_chunk(&v->walk[i], from, &chunk[i]);
		walk_fetch_chunk(&v->walk[i], chunk[i]);
	}
	for (size_t i = 0; i < v->n; i++) {
		if (!walk_load(&v->walk[i], chunk[i]))
			return false;
		walk_fetch_block(&v->walk[i], from);
	}
	return true;
}

static bool
add_several(void *arg)
{
	struct several *v = arg;

	if (!open_walks(v))
		return false;
	for (size_t i = 0; i < v->n; i++) {
		v->a.series = v->series[i];
		if (!add_one(&v->a, &v->walk[i]))
			return false;
	}
	return true;
}

bool
sums_add(
	struct sums *s, struct index_query *q, const uint32_t *series, size_t n)
{
	struct several v;

	v.a.s = s;
	v.a.q = q;
	if (__builtin_mul_overflow(s->range.width, s->range.n, &v.a.stop) ||
		__builtin_add_overflow(s->range.from, v.a.stop, &v.a.stop) ||
		v.a.stop > s->end)
		v.a.stop = s->end;
	for (size_t i = 0; i < n; i += SUMS_AT_ONCE) {
		v.series = series + i;
		v.n = n - i < SUMS_AT_ONCE ? n - i : SUMS_AT_ONCE;
		if (!reader_query(q, add_several, &v))
			return false;
	}
	return true;
}

void
sums_sort(struct sums *s)
{
	int n = 0;

	for (int class = 0; n < s->n; class ++)
		if (s->used[class] && class != INDEX_CLASS_NONE)
			s->class[n++] = (uint8_t) class;
}

void
sums_end(struct sums *s)
{
	sums_sort(s);
	for (int i = 0; i < s->n; i++) {
		uint64_t *time = s->row[s->class[i]], rows = 0;
		const uint64_t *fills = time + s->room + 1;

		for (int column = 0;
			s->filled[s->class[i]] && column < s->range.n;
			column++) {
			rows += fills[column];
			time[column] += rows * (uint64_t)s->range.width;
		}
	}
}
