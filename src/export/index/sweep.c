/* SPDX-License-Identifier: MIT */
#include "export/index/sweep.h"

#include <string.h>

bool
sweep_open(struct sweep *s, struct index_query *q, uint32_t series)
{
	memset(s, 0, sizeof *s);
	if (!walk_open(&s->w, q, series))
		return false;
	if ((s->w.s.flags & WIDX_NUMBER) != 0)
		s->kind = SWEEP_NUMBERS;
	s->point = (s->w.s.flags & WIDX_POINT) != 0;
	s->x = INT64_MIN;
	s->rank = SWEEP_NONE;
	memset(s->rank_of, SWEEP_NONE, sizeof s->rank_of);
	s->next = s->block_end = walk_entry(&s->w, 0).t_first;
	return true;
}

/* Loads the sums at the start of a block. */
static void
load_sums(struct sweep *s, uint32_t block)
{
	const struct view *v = &s->w.v;
	size_t n = v->head.nlocal;
	const uint8_t *row = v->sum;

	for (unsigned slot = 0; slot < v->head.nseen; slot++)
		memcpy(&s->sum[s->rank_of[slot]], v->abs + (size_t)8 * slot, 8);
	s->changed = UINT64_MAX;
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
		s->sum[s->rank_of[v->local[j]]] += wide;
	}
}

/* Gives ranks to the slots that the loaded chunk has for the first time. The
 * sums are loaded afterwards. */
static void
add_slots(struct sweep *s)
{
	const struct view *v = &s->w.v;

	for (unsigned slot = s->nseen; slot < v->head.nseen; slot++) {
		uint8_t class = view_class(v, slot);
		unsigned rank = s->nranks;

		if (class == INDEX_CLASS_NONE || rank == SWEEP_NONE)
			continue;
		for (; rank > 0 && s->class[rank - 1] > class; rank--) {
			s->class[rank] = s->class[rank - 1];
			s->before[rank] = s->before[rank - 1];
		}
		s->class[rank] = class;
		s->before[rank] = 0;
		for (unsigned i = 0; i < slot; i++)
			if (s->rank_of[i] >= rank &&
				s->rank_of[i] != SWEEP_NONE)
				s->rank_of[i]++;
		s->rank_of[slot] = (uint8_t)rank;
		s->nranks++;
	}
	if (v->head.nseen > s->nseen)
		s->nseen = v->head.nseen;
}

/* Returns the time of the first record behind a block. */
static int64_t
end_of(const struct walk *w, uint32_t block)
{
	if (block + 1 < w->v.head.nblocks)
		return walk_block_time(&w->v, block + 1);
	if (w->chunk + 1 < w->s.nchunks)
		return walk_entry(w, w->chunk + 1).t_first;
	return INT64_MAX;
}

/* Returns what the records of the loaded chunk are. */
static enum sweep_kind
kind_of(const struct sweep *s)
{
	if (s->point)
		return SWEEP_POINTS;
	if ((s->w.v.head.flags & WIDX_EXTENTS) != 0)
		return SWEEP_VALUES;
	return s->w.v.bits == 0 ? SWEEP_PLAIN : SWEEP_QUICK;
}

/* Finds the last block that begins before x, which is the next one most often.
 */
static bool
find_block(struct sweep *s, int64_t x, uint32_t *block)
{
	struct walk *w = &s->w;
	uint64_t chunk = 0;

	walk_find_chunk(w, x, &chunk);
	if (w->loaded && chunk == w->chunk) {
		*block = (w->i - 1) / WIDX_BLOCK;
		while (*block + 1 < w->v.head.nblocks &&
			walk_block_time(&w->v, *block + 1) < x)
			++*block;
		return true;
	}
	if (!walk_load(w, chunk))
		return false;
	add_slots(s);
	s->kind = kind_of(s);
	*block = walk_find_block(&w->v, x);
	return true;
}

/* Reads the next record of the block. */
static inline __attribute__((always_inline)) uint64_t
read_next(struct sweep *s, struct records *r, uint32_t i, enum sweep_kind kind,
	uint8_t *rank)
{
	uint64_t delta;
	uint8_t slot;

	if (kind == SWEEP_QUICK) {
		*rank = s->rank_of[s->block.slot[i % WIDX_BLOCK - 1]];
		return s->block.delta[i % WIDX_BLOCK - 1];
	}
	delta = records_plain(r, &slot);
	*rank = s->rank_of[slot];
	if (kind >= SWEEP_VALUES)
		r->at = view_after(&s->w.v, slot, r->at);
	return delta;
}

/* Takes the records of the block that have time < x, and reads the one behind
 * them. */
static inline __attribute__((always_inline)) bool
take(struct sweep *s, int64_t x, enum sweep_kind kind)
{
	struct walk *w = &s->w;
	struct records r = s->r;
	const uint8_t *end = w->v.end;
	int64_t time = w->t, next = s->next;
	uint32_t i = w->i, last = s->last;
	uint8_t rank = s->rank, next_rank = s->next_rank;
	uint64_t changed = s->changed;

	while (next < x) {
		s->sum[rank] += kind == SWEEP_POINTS
			? 0
			: (uint64_t)next - (uint64_t)time;
		time = next;
		rank = next_rank;
		changed |= UINT64_C(1) << rank % SWEEP_BITS;
		s->sum[rank] += kind == SWEEP_POINTS;
		if (++i == last) {
			next = s->block_end;
			break;
		}
		if (kind != SWEEP_QUICK && r.at >= end)
			return reader_damaged(w->q, w->v.base);
		next = (int64_t)((uint64_t)time +
			read_next(s, &r, i, kind, &next_rank));
	}
	w->i = i;
	w->t = time;
	s->r = r;
	s->rank = rank;
	s->next_rank = next_rank;
	s->next = next;
	s->changed = changed;
	return true;
}

/* Begins with the second record of the block. */
static bool
begin_block(struct sweep *s)
{
	struct walk *w = &s->w;
	uint64_t delta;

	s->next = s->block_end;
	if (w->i == s->last)
		return true;
	s->r = records_of(w->at, w->v.bits);
	if (w->at >= w->v.end ||
		(s->kind == SWEEP_QUICK &&
			records_block(w->at, w->v.end,
				(struct records_are){
					s->last - w->i, w->v.bits },
				&s->block) == NULL))
		return reader_damaged(w->q, w->v.base);
	delta = s->kind == SWEEP_QUICK
		? read_next(s, &s->r, w->i, SWEEP_QUICK, &s->next_rank)
		: read_next(s, &s->r, w->i, s->kind, &s->next_rank);
	s->next = (int64_t)((uint64_t)w->t + delta);
	return true;
}

/* Moves to the block that x is in and takes its first record. */
static bool
jump(struct sweep *s, int64_t x)
{
	struct walk *w = &s->w;
	uint32_t block;
	bool some;

	if (!find_block(s, x, &block) || !walk_enter(w, block))
		return false;
	load_sums(s, block);
	if (!walk_next(w, &some))
		return false;
	s->rank = s->rank_of[w->slot];
	s->sum[s->rank] += s->point;
	s->last = (block + 1) * WIDX_BLOCK;
	if (s->last > w->v.head.n)
		s->last = w->v.head.n;
	s->block_end = end_of(w, block);
	s->number = walk_number(w);
	return begin_block(s);
}

static bool
take_block(struct sweep *s, int64_t x)
{
	uint32_t from = s->w.i;
	bool ok;

	if (s->kind == SWEEP_POINTS)
		ok = take(s, x, SWEEP_POINTS);
	else if (s->kind == SWEEP_VALUES)
		ok = take(s, x, SWEEP_VALUES);
	else if (s->kind == SWEEP_PLAIN)
		ok = take(s, x, SWEEP_PLAIN);
	else
		ok = take(s, x, SWEEP_QUICK);
	s->number += s->w.i - from;
	return ok && walk_pay(s->w.q, s->w.i - from);
}

/* Moves to time x in a series of numbers. */
static bool
count_to(struct sweep *s, int64_t x)
{
	if (!walk_seek(&s->w, x))
		return false;
	s->number = s->w.any ? walk_number(&s->w) : 0;
	s->next = s->x = x;
	return true;
}

bool
sweep_to(struct sweep *s, int64_t x)
{
	uint64_t open;

	if (s->kind == SWEEP_NUMBERS)
		return count_to(s, x);
	if (x > s->next) { /* records come before x */
		s->sum[s->rank] -= s->open;
		s->open = 0;
		if ((x > s->block_end && !jump(s, x)) || !take_block(s, x))
			return false;
	}
	s->x = x;
	if (s->point || s->rank == SWEEP_NONE)
		return true;
	open = (uint64_t)x - (uint64_t)s->w.t;
	s->sum[s->rank] += open - s->open;
	s->open = open;
	return true;
}

bool
sweep_skip(struct sweep *s, int64_t x)
{
	if (x == s->x)
		return true;
	if (!sweep_to(s, x))
		return false;
	memcpy(s->before, s->sum, s->nranks * sizeof *s->before);
	sweep_end(s);
	return true;
}
