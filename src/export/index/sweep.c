/* SPDX-License-Identifier: MIT */
#include "export/index/sweep.h"

#include <string.h>

#include "export/index/records.h"

bool
sweep_open(struct sweep *s, struct index_query *q, uint32_t series)
{
	memset(s, 0, sizeof *s);
	if (!walk_open(&s->w, q, series))
		return false;
	s->point = (s->w.s.flags & WIDX_POINT) != 0;
	return true;
}

/* Loads the sums at the start of a block. */
static void
load_sums(struct sweep *s, uint32_t block)
{
	const struct view *v = &s->w.v;
	size_t n = v->head.nlocal;
	const uint8_t *row = v->sum;

	if (v->head.nseen > 0)
		memcpy(s->sum, v->abs, (size_t)8 * v->head.nseen);
	if (block == 0)
		return;
	for (size_t j = 0; j < n; j++) {
		uint64_t wide;
		uint32_t narrow;
		size_t at = (block - 1) * n + j;

		if ((v->head.flags & WIDX_LONG) != 0) {
			memcpy(&wide, row + 8 * at, 8);
		} else {
			memcpy(&narrow, row + 4 * at, 4);
			wide = narrow;
		}
		s->sum[v->local[j]] += wide;
	}
}

/* Moves to a block and takes its first record. */
static bool
jump(struct sweep *s, uint32_t block)
{
	bool some;

	if (!walk_enter(&s->w, block))
		return false;
	load_sums(s, block);
	if (!walk_next(&s->w, &some))
		return false;
	if (s->point)
		s->sum[s->w.slot]++;
	return true;
}

/* Kinds of records: constants where take() is called. */
enum take_kind {
	TAKE_QUICK,  /* slots below 128, without values: see records.h */
	TAKE_PLAIN,  /* slots of any size */
	TAKE_VALUES, /* some records contain a value */
	TAKE_POINTS, /* the same, and records are counted */
};

/* Takes the records up to number `last` that have time < x. */
static inline __attribute__((always_inline)) bool
take(struct sweep *s, int64_t x, uint32_t last, enum take_kind kind)
{
	struct walk *w = &s->w;
	struct records r = records_of(w->at);
	const uint8_t *end = w->v.end;
	uint64_t time = (uint64_t)w->t;
	uint32_t i = w->i;
	uint8_t slot = w->slot;

	for (; i < last && r.at < end; i++) {
		const uint8_t *at = r.at;
		uint8_t next;
		uint64_t delta = kind == TAKE_QUICK ? records_next(&r, &next)
						    : records_plain(&r, &next);

		if ((int64_t)(time + delta) >= x) {
			r.at = at;
			break;
		}
		time += delta;
		s->sum[slot] += kind == TAKE_POINTS ? 0 : delta;
		slot = next;
		s->sum[slot] += kind == TAKE_POINTS;
		if (kind >= TAKE_VALUES)
			r.at = view_after(&w->v, slot, r.at);
	}
	w->i = i;
	w->at = r.at;
	w->t = (int64_t)time;
	w->slot = slot;
	return i == last || r.at < end || reader_damaged(w->q, w->v.base);
}

/* Takes the records of the block with time < x. */
static bool
walk_block(struct sweep *s, int64_t x)
{
	struct walk *w = &s->w;
	uint32_t last = ((w->i - 1) | (WIDX_BLOCK - 1)) + 1, from = w->i;
	bool ok;

	if (last > w->v.head.n)
		last = w->v.head.n;
	if (s->point)
		ok = take(s, x, last, TAKE_POINTS);
	else if ((w->v.head.flags & WIDX_EXTENTS) != 0)
		ok = take(s, x, last, TAKE_VALUES);
	else if (w->v.head.nseen > RECORDS_SLOTS)
		ok = take(s, x, last, TAKE_PLAIN);
	else
		ok = take(s, x, last, TAKE_QUICK);
	return ok && walk_pay(w->q, w->i - from);
}

/* Moves past all records with time < x and sets their sums. */
static bool
go(struct sweep *s, int64_t x)
{
	struct walk *w = &s->w;
	uint64_t chunk;
	uint32_t block;
	bool moved = !w->any;

	if ((w->s.flags & WIDX_NUMBER) != 0)
		return walk_seek(w, x); /* numbers have no slots */
	if (!walk_find_chunk(w, x, &chunk))
		return true; /* x is before the first record */
	if (!w->loaded || chunk != w->chunk) {
		if (!walk_load(w, chunk))
			return false;
		moved = true;
	}
	block = walk_find_block(&w->v, x);
	if ((moved || block != (w->i - 1) / WIDX_BLOCK) && !jump(s, block))
		return false;
	return walk_block(s, x);
}

bool
sweep_to(struct sweep *s, int64_t x)
{
	memcpy(s->before, s->at, sizeof *s->at * s->nseen);
	s->number_before = s->number;
	if (!go(s, x))
		return false;
	s->number = s->w.any ? walk_number(&s->w) : 0;
	if (s->w.any && s->w.v.head.nseen > s->nseen)
		s->nseen = s->w.v.head.nseen;
	memcpy(s->at, s->sum, sizeof *s->at * s->nseen);
	if (s->w.any && !s->point && s->nseen > 0)
		s->at[s->w.slot] += (uint64_t)x - (uint64_t)s->w.t;
	return true;
}

static int64_t
clip(int64_t x, int64_t end)
{
	return x < 0 ? 0 : x > end ? end : x;
}

bool
sweep_column(struct sweep_columns *c, int64_t *from, int64_t *to)
{
	int64_t next;

	if (__builtin_add_overflow(c->from, c->width, &next))
		next = INT64_MAX;
	*from = clip(c->from, c->end);
	*to = clip(next, c->end);
	c->from = next;
	if (*from >= *to || c->sweep == NULL)
		return true;
	if (!c->begun && !sweep_to(c->sweep, *from))
		return false;
	c->begun = true;
	return sweep_to(c->sweep, *to);
}
