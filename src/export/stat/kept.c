/* SPDX-License-Identifier: MIT */
#include "export/stat/kept.h"

#include "base/arena.h"
#include "base/vec.h"
#include "export/fan.h"
#include "export/stat/stat.h"
#include "export/varint.h"

/* Limits that keep the memory below about 100 MB. */
#define MOST_CELLS (1u << 18) /* together with the lanes */
#define MOST_TASKS (1u << 20) /* ids that rows have shown */
#define LOOK 4096             /* records between two looks at the limits */

/* The fan's first sink counts, until that takes too much memory. */
struct beside {
	struct fan fan;
	struct sink_ops ops;
	struct arena *arena;
	struct sink *stat; /* NULL: no longer counts */
	uint64_t records;
	struct sink_bytes *to;
};

struct bytes {
	struct arena *arena;
	VEC(uint8_t) v;
};

static void
put(struct bytes *b, uint64_t value)
{
	uint8_t text[VARINT_MOST];
	const uint8_t *end = varint_put(text, value);

	for (const uint8_t *at = text; at < end; at++)
		VEC_PUSH(&b->v, b->arena, *at);
}

static void
put_lane(struct bytes *b, const struct stat_lane *lane)
{
	put(b, lane->row);
	put(b, lane->type);
	put(b, (uint64_t)lane->cells.n);
	for (int i = 0; i < lane->cells.n; i++) {
		const struct stat_cell *cell = &lane->cells.at[i];

		put(b, zigzag((uint64_t)cell->value));
		put(b, (uint64_t)cell->time);
		put(b, cell->times);
		put(b, cell->runs);
	}
}

static struct sink_bytes
keep(struct arena *a, struct sink *stat)
{
	const struct stat_table *t = stat_result(stat);
	struct bytes b = { .arena = a };

	if (!stat_is_small(stat, MOST_CELLS, MOST_TASKS))
		return (struct sink_bytes){ 0 };
	put(&b, (uint64_t)t->duration);
	put(&b, (uint64_t)t->rows.n);
	for (int i = 0; i < t->rows.n; i++)
		put(&b,
			(uint64_t)t->rows.at[i].lived << 1 |
				t->rows.at[i].virtual);
	put(&b, (uint64_t)t->lanes.n);
	for (int i = 0; i < t->lanes.n; i++)
		put_lane(&b, &t->lanes.at[i]);
	return (struct sink_bytes){ b.v.at, (size_t)b.v.n };
}

/* Closes the sink that counts. */
static void
stop(struct beside *b)
{
	sink_close(b->stat, &(struct err){ 0 });
	b->stat = NULL;
	b->fan.to[0] = b->fan.to[1];
	b->fan.n = 1;
}

/* Stops counting when it takes too much memory. */
static void __attribute__((noinline)) look(struct beside *b)
{
	if (b->stat != NULL && !stat_is_small(b->stat, MOST_CELLS, MOST_TASKS))
		stop(b);
}

static void
beside_state(struct sink *s, const struct record *r)
{
	struct beside *b = (struct beside *)s;

	if (b->fan.n > 1)
		sink_state(b->stat, r);
	if (__builtin_expect(++b->records % LOOK == 0, 0))
		look(b);
	sink_state(b->fan.to[b->fan.n - 1], r);
}

static bool
beside_close(struct sink *s, struct err *err)
{
	struct beside *b = (struct beside *)s;

	if (b->stat != NULL) {
		*b->to = keep(b->arena, b->stat);
		stop(b);
	}
	return fan_ops.close(s, err);
}

struct sink *
kept_beside(struct arena *a, const struct stat_options *options,
	struct sink *next, struct sink_bytes *to)
{
	struct beside *b = ARENA_NEW(a, struct beside);

	fan_init(&b->fan);
	b->ops = fan_ops;
	b->ops.name = "kept";
	b->ops.state = beside_state;
	b->ops.close = beside_close;
	b->fan.base.ops = &b->ops;
	b->arena = a;
	b->to = to;
	b->stat = stat_open(a, options);
	fan_add(&b->fan, b->stat);
	fan_add(&b->fan, next);
	return &b->fan.base;
}

/* The bytes that are left. A varint reads at most VARINT_MOST bytes. */
struct left {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t
take(struct left *l)
{
	uint8_t last[2 * VARINT_MOST] = { 0 };
	size_t n = (size_t)(l->end - l->at);
	const uint8_t *from = l->at;
	uint64_t value;

	if (n < VARINT_MOST) { /* it must not read beyond the end */
		if (n > 0)
			memcpy(last, from, n);
		from = last;
	}
	n = (size_t)(varint_get(from, &value) - from);
	if (n > (size_t)(l->end - l->at)) {
		l->bad = true;
		return 0;
	}
	l->at += n;
	return value;
}

/* Takes the number of elements that have `least` bytes each. */
static int
take_count(struct left *l, size_t least)
{
	uint64_t n = take(l);

	if (n > (uint64_t)(l->end - l->at) / least || n > INT32_MAX)
		l->bad = true;
	return l->bad ? 0 : (int)n;
}

static bool
take_lane(struct left *l, struct sink *stat)
{
	uint64_t row = take(l), type = take(l);
	int n = take_count(l, 4);

	if (l->bad || !stat_put_lane(stat, row, type))
		return false;
	for (int i = 0; i < n; i++) {
		struct stat_cell cell;

		cell.value = (int64_t)unzigzag(take(l));
		cell.time = (int64_t)take(l);
		cell.times = take(l);
		cell.runs = take(l);
		if (!stat_put_cell(stat, &cell))
			return false;
	}
	return !l->bad;
}

bool
kept_restore(struct sink *stat, const void *bytes, size_t n)
{
	struct left l = { bytes, (const uint8_t *)bytes + n, false };
	int64_t duration = (int64_t)take(&l);
	int nrows = take_count(&l, 1), nlanes;
	bool ok = !l.bad && stat_put_duration(stat, duration, nrows);

	for (int i = 0; ok && i < nrows; i++) {
		uint64_t lived = take(&l);

		stat_put_lived(stat, i, (int64_t)(lived >> 1), lived & 1);
	}
	nlanes = take_count(&l, 3);
	for (int i = 0; ok && i < nlanes; i++)
		ok = take_lane(&l, stat);
	return ok && !l.bad && l.at == l.end;
}
