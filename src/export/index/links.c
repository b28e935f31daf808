/* SPDX-License-Identifier: MIT */
/*
 * Finds the longest links that touch a window.
 *
 * Links are sorted by start. For each block of 256 links the index has the
 * latest end and the greatest length: a block that ends before the window, or
 * has no link longer than those found, is skipped.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "export/index/walk.h"

struct search {
	struct index_query *q;
	const struct index_links *which;
	struct index_link_result *out;
	int room;
};

/* Returns how many elements of a sorted array are below t. */
static uint64_t
below(const int64_t *at, size_t step, uint64_t n, int64_t t)
{
	uint64_t low = 0, high = n;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		const void *p = (const uint8_t *)at + mid * step;

		if (*(const int64_t *)p < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static uint64_t
length(const struct link *l)
{
	return (uint64_t)l->to_time - (uint64_t)l->from_time;
}

/* Returns true if x is listed before y. */
static bool
is_better(const struct link *x, const struct link *y)
{
	if (length(x) != length(y))
		return length(x) > length(y);
	return x->from_time < y->from_time;
}

/* Keeps the best links found so far, in their order. */
static void
keep(struct search *s, const struct link *l)
{
	struct index_link_result *r = s->out;
	int i = r->n;

	if (s->room == 0 || (i == s->room && !is_better(l, &r->link[i - 1])))
		return;
	if (i == s->room)
		i--;
	else
		r->n++;
	for (; i > 0 && is_better(l, &r->link[i - 1]); i--)
		r->link[i] = r->link[i - 1];
	r->link[i] = *l;
}

static bool
is_wanted(const struct search *s, const struct widx_link *l)
{
	const uint8_t *rows = s->which->rows;
	uint32_t n = s->q->ix->meta.nrows;

	if (l->from_time >= s->which->to || l->to_time < s->which->from)
		return false;
	if (s->which->end == INDEX_LINK_FROM)
		return l->from_time >= s->which->from && l->from_row < n &&
			rows[l->from_row] != 0;
	if (s->which->end == INDEX_LINK_TO)
		return l->to_time < s->which->to && l->to_row < n &&
			rows[l->to_row] != 0;
	return rows == NULL ||
		(l->from_row < n && l->to_row < n && rows[l->from_row] != 0 &&
			rows[l->to_row] != 0);
}

static void
look_at(struct search *s, const struct widx_link *l)
{
	struct index_link_result *r = s->out;
	struct link link = { l->from_time, l->to_time, l->from_row, l->to_row,
		l->kind, l->id, l->bytes };

	if (!is_wanted(s, l))
		return;
	if (s->which->rows != NULL) {
		r->touching++;
		r->starting += l->from_time >= s->which->from;
		r->ending += l->to_time < s->which->to;
	}
	keep(s, &link);
}

/* Returns true if a block can be skipped: it ends before the window or, where
 * the counts are known, has no longer link. */
static bool
may_pass(const struct search *s, const struct widx_link_block *b)
{
	const struct index_link_result *r = s->out;

	if (b->max_to < s->which->from)
		return true;
	return s->which->rows == NULL && r->n == s->room &&
		(r->n == 0 ||
			(uint64_t)b->max_length <= length(&r->link[r->n - 1]));
}

static bool
search(void *arg)
{
	struct search *s = arg;
	const struct index *ix = s->q->ix;
	const struct index_links *w = s->which;
	uint64_t n = ix->links.n, before, last;

	if (n == 0)
		return true;
	last = below(
		&ix->links.at->from_time, sizeof(struct widx_link), n, w->to);
	if (w->rows == NULL) {
		before = below(&ix->links.at->from_time,
			sizeof(struct widx_link), n, w->from);
		s->out->starting = last - before;
		before = below(ix->link_ends.at, sizeof(int64_t), n, w->from);
		s->out->ending =
			below(ix->link_ends.at, sizeof(int64_t), n, w->to) -
			before;
		s->out->touching = last - before;
	}
	for (uint64_t i = 0; i < last; i += WIDX_BLOCK) {
		if (may_pass(s, &ix->link_blocks.at[i / WIDX_BLOCK]))
			continue;
		if (!walk_pay(s->q, WIDX_BLOCK))
			return false;
		for (uint64_t j = i; j < last && j < i + WIDX_BLOCK; j++)
			look_at(s, &ix->links.at[j]);
	}
	return true;
}

bool
index_links(struct index_query *q, struct arena *a,
	const struct index_links *which, struct index_link_result *out)
{
	struct search s = { q, which, out, which->most };

	if (s.room < 0)
		s.room = 0;
	if ((uint64_t)s.room > q->ix->links.n)
		s.room = (int)q->ix->links.n;
	*out = (struct index_link_result){ 0 };
	out->link = ARENA_ARRAY(a, struct link, s.room);
	return which->from >= which->to ? q->state == INDEX_OK
					: reader_query(q, search, &s);
}
