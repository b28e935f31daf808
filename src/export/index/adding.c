/* SPDX-License-Identifier: MIT */
#include "export/index/adding.h"

#include <string.h>

#include "export/index/sweep.h"

struct adding {
	struct index_query *q;
	struct index_range range;
	int64_t stop;    /* end of the range, or of the trace */
	double per_time; /* 1 / width */
	int shift;       /* if the width is 1 << shift; else -1 */
	struct sums *sums;
	/* The column that the walk has reached, and its end. */
	int64_t column, column_end;
	/* The interval that the walk is in. */
	int64_t since;
	struct sums_cell *row; /* of the interval's class, by column */
	uint64_t *changes;     /* by column */
	/* By slot of the chunk; the last one is for slots that do not exist. */
	struct sums_cell *rows[INDEX_CLASSES + 1];
};

/* Begins with a range that ends at `end` at the latest. */
static void
begin(struct adding *a, struct index_query *q, struct index_range range,
	int64_t end)
{
	memset(a, 0, sizeof *a);
	a->q = q;
	a->range = range;
	a->per_time = 1 / (double)range.width;
	a->shift = (range.width & (range.width - 1)) == 0
		? __builtin_ctzll((uint64_t)range.width)
		: -1;
	if (__builtin_mul_overflow(range.width, range.n, &a->stop) ||
		__builtin_add_overflow(range.from, a->stop, &a->stop) ||
		a->stop > end)
		a->stop = end;
}

/* Sets the column that the walk has reached. The end of the last column before
 * 2^63 is modulo 2^64, and thus before all times. */
static inline void
set_column(struct adding *a, int64_t column)
{
	a->column = column;
	a->column_end = (int64_t)((uint64_t)a->range.from +
		((uint64_t)column + 1) * (uint64_t)a->range.width);
}

/* Moves to the column that contains t, which is in the range. Returns the start
 * of that column. */
static inline int64_t
move(struct adding *a, int64_t t)
{
	int64_t passed = t - a->range.from, width = a->range.width;
	int64_t column = a->shift >= 0
		? passed >> a->shift
		: (int64_t)((double)passed * a->per_time);
	/* How long t is behind the start of the column. A range has few
	 * columns, so the product above is wrong by 1 at most, and takes less
	 * time than a division. */
	int64_t rest = (int64_t)((uint64_t)passed -
		(uint64_t)column * (uint64_t)width);

	if (__builtin_expect(rest < 0, 0)) {
		column--;
		rest += width;
	} else if (__builtin_expect(rest >= width, 0)) {
		column++;
		rest -= width;
	}
	set_column(a, column);
	return t - rest;
}

/* Adds the present interval until t, which is not in the present column. */
static inline void
put_far(struct adding *a, int64_t t)
{
	struct sums_cell *row = a->row, *first = &row[a->column], *last;
	int64_t start;

	first->time += (uint64_t)a->column_end - (uint64_t)a->since;
	start = move(a, t);
	last = &row[a->column];
	last->time += (uint64_t)(t - start); /* 0 if the column begins at t */
	first[1].fills++;
	last->fills--;
}

/* Adds the present interval, which begins in the present column, until t. */
static inline void
put(struct adding *a, int64_t t)
{
	if (__builtin_expect(t < a->column_end, 1))
		a->row[a->column].time += (uint64_t)(t - a->since);
	else
		put_far(a, t);
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
	uint8_t class = view_class(v, slot);

	a->rows[slot] = sums_row(a->sums, class);
}

/* Begins the interval of a record. */
static inline __attribute__((always_inline)) void
begin_interval(struct adding *a, const struct view *v, uint8_t slot)
{
	unsigned known = slot < v->head.nseen ? slot : v->head.nseen;

	if (__builtin_expect(a->rows[known] == NULL, 0))
		find_row(a, v, known);
	a->row = a->rows[known];
}

/* Adds the interval from `since` on, which begins in the column, until t, and
 * moves to the column of t; columns are 1 << shift long. Many intervals end in
 * the column where they begin, and many do not: so nothing branches on that. */
static inline void
put_shifted(const struct adding *a, struct sums_cell *row, int64_t since,
	int64_t t, int64_t *column)
{
	uint64_t passed = (uint64_t)t - (uint64_t)a->range.from;
	uint64_t width = UINT64_C(1) << a->shift, rest = passed & (width - 1);
	struct sums_cell *first = &row[*column], *last;

	*column = (int64_t)(passed >> a->shift);
	last = &row[*column];
	/* If both are the same column, it gets one width too much here, and one
	 * less from the fills. */
	first->time += ((uint64_t)(first - row) + 1) * width -
		((uint64_t)since - (uint64_t)a->range.from);
	first[1].fills++;
	last->time += rest;
	last->fills--;
}

/* Kinds of records: constants where add_block() is called. */
enum add_kind {
	ADD_QUICK,  /* slots below 128, without values: see records.h */
	ADD_SHIFT,  /* the same, for columns that are a power of two long */
	ADD_PLAIN,  /* slots of any size */
	ADD_VALUES, /* some records contain a value */
};

/* Adds the records before `stop` in the rest of a block; the walk stands in it.
 */
static inline __attribute__((always_inline)) bool
add_block(struct adding *a, struct walk *w, uint32_t last, enum add_kind kind)
{
	const struct view *v = &w->v;
	struct records r = records_of(w->at, v->bits);
	const uint8_t *end = v->end;
	uint64_t *changes = a->changes;
	struct sums_cell *row = a->row;
	int64_t stop = a->stop, t = a->since, column = a->column;
	int64_t column_end = a->column_end, before = w->t;
	uint32_t i = w->i;
	uint8_t slot = w->slot;

	for (; i < last && r.at < end; i++) {
		const uint8_t *at = r.at;
		uint8_t next;
		int64_t time = (int64_t)((uint64_t)before +
			(kind <= ADD_SHIFT ? records_next(&r, &next)
					   : records_plain(&r, &next)));

		if (time >= stop) {
			r.at = at;
			break;
		}
		if (time < t)
			return reader_damaged(a->q, v->base);
		if (kind == ADD_SHIFT) {
			put_shifted(a, row, t, time, &column);
		} else if (__builtin_expect(time < column_end, 1)) {
			row[column].time += (uint64_t)(time - t);
		} else {
			a->row = row;
			a->since = t;
			a->column = column;
			a->column_end = column_end;
			put_far(a, time);
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
	a->column = column;
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
	put(a, t);
	if (!walk_next(w, some))
		return false;
	if (w->i == 1)
		use_chunk(a, &w->v);
	a->changes[a->column]++;
	begin_interval(a, &w->v, w->slot);
	return true;
}

/* Begins with the interval at the start of the range. */
static void
begin_walk(struct adding *a, const struct walk *w)
{
	a->since = a->range.from;
	set_column(a, 0);
	use_chunk(a, &w->v);
	a->changes = a->sums->changes;
	a->row = sums_row(a->sums, INDEX_CLASS_NONE);
	if (w->any)
		begin_interval(a, &w->v, w->slot);
}

/* Adds the records of a block up to number `last`. */
static bool
add_records(struct adding *a, struct walk *w, uint32_t last)
{
	if ((w->v.head.flags & WIDX_EXTENTS) != 0)
		return add_block(a, w, last, ADD_VALUES);
	if (w->v.bits == 0)
		return add_block(a, w, last, ADD_PLAIN);
	return a->shift >= 0 ? add_block(a, w, last, ADD_SHIFT)
			     : add_block(a, w, last, ADD_QUICK);
}

/* Adds the rest of a block. Sets *some if more blocks may follow. */
static bool
end_block(struct adding *a, struct walk *w, bool *some)
{
	uint32_t from = w->i, last = (from | (WIDX_BLOCK - 1)) + 1;

	if (last > w->v.head.n)
		last = w->v.head.n;
	if (!add_records(a, w, last))
		return false;
	set_column(a, a->column);
	*some = w->i == last;
	return walk_pay(a->q, w->i - from);
}

/* Adds a series of states or ids from the start of the range, where the walk
 * stands. */
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
	put(a, a->stop);
	return true;
}

/* Adds the difference of the sums at the ends of a column. */
static bool
add_difference(struct adding *a, struct sweep *s, int column, uint64_t left)
{
	for (unsigned rank = 0; rank < s->nranks; rank++) {
		uint64_t part = sweep_part(s, rank);

		if (part == 0)
			continue;
		if (!s->point && part > left)
			return reader_damaged(a->q, s->w.v.base);
		left -= part;
		sums_row(a->sums, s->class[rank])[column].time += part;
	}
	sweep_end(s);
	return true;
}

/* Adds a series column by column, from differences of running sums. */
static bool
sweep(struct adding *a, uint32_t series)
{
	struct sweep s;
	struct sweep_columns next = { .from = a->range.from,
		.width = a->range.width,
		.end = a->q->ix->meta.end };

	if (!sweep_open(&s, a->q, series))
		return false;
	for (int i = 0; i < a->range.n; i++) {
		int64_t from, to;
		uint64_t before;

		sweep_column(&next, &from, &to);
		if (from >= to)
			continue;
		if (!sweep_skip(&s, from))
			return false;
		before = s.number;
		if (!sweep_to(&s, to) ||
			!add_difference(a, &s, i, (uint64_t)(to - from)))
			return false;
		a->sums->changes[i] += s.number - before;
	}
	return walk_pay(a->q, a->range.n);
}

/* Returns true if sweep() takes less time than walk() from where the walk
 * stands. */
static bool
is_dense(const struct adding *a, const struct walk *w)
{
	uint64_t chunk = w->chunk, records; /* roughly */

	walk_find_chunk(w, a->stop, &chunk);
	if (chunk != w->chunk)
		records = (chunk - w->chunk) * WIDX_CHUNK;
	else
		records = ((uint64_t)walk_find_block(&w->v, a->stop) + 1) *
				WIDX_BLOCK -
			w->i;
	return records > (uint64_t)a->range.n * ADDING_RECORDS;
}

/* Adds one series; w was opened for it. */
static bool
add_one(struct adding *a, struct walk *w, uint32_t series)
{
	if (a->range.from >= a->stop)
		return true;
	if ((w->s.flags & (WIDX_POINT | WIDX_NUMBER)) != 0 || a->range.from < 0)
		return sweep(a, series);
	if (!walk_seek(w, a->range.from))
		return false;
	return is_dense(a, w) ? sweep(a, series) : walk(a, w);
}

/* Several series that are added one after the other. */
struct several {
	struct adding a;
	const uint32_t *series;
	size_t n;
	struct walk walk[ADDING_AT_ONCE];
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
	int64_t from = a->range.from;
	uint64_t chunk[ADDING_AT_ONCE];

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
	for (size_t i = 0; i < v->n; i++)
		if (!add_one(&v->a, &v->walk[i], v->series[i]))
			return false;
	return true;
}

bool
adding_rows(
	struct sums *s, struct index_query *q, const uint32_t *series, size_t n)
{
	struct several v;

	begin(&v.a, q, s->range, s->end);
	v.a.sums = s;
	for (size_t i = 0; i < n; i += ADDING_AT_ONCE) {
		v.series = series + i;
		v.n = n - i < ADDING_AT_ONCE ? n - i : ADDING_AT_ONCE;
		if (!reader_query(q, add_several, &v))
			return false;
	}
	return true;
}
