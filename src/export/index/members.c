/* SPDX-License-Identifier: MIT */
/* Sums the rows of a group for each column. */
#include <string.h>

#include "base/arena.h"
#include "export/index/adding.h"
#include "export/index/tree.h"

#define ROW_WORK 40 /* intervals: cost of finding a row's records */

/* Sets the shares of a column, which has number i of the sums. */
static void
share_out(struct index_column *c, struct shares *to, const struct sums *s,
	int i, index_uwide whole)
{
	struct index_share *share = shares_room(to, (size_t)s->n);
	index_uwide sum = 0;
	size_t n = 0;

	/* Most columns have few classes, in no order that a branch could be
	 * predicted from: a class without time is overwritten by the next. */
	for (int j = 0; j < s->n; j++) {
		uint64_t time = sums_time(s, j)[i].time;

		share[n] = (struct index_share){ (int64_t)time, s->class [j],
			{ 0 } };
		n += time != 0;
		sum += time;
	}
	c->changes = s->changes[i];
	shares_end(to, c, n, whole, sum);
}

/* Returns true if nothing changes in column i and in the one before, and both
 * are equally long: then they have the same shares. */
static bool
is_same(const struct sums *s, const struct index_column *out, int i)
{
	return i > 0 && s->changes[i] == 0 && s->changes[i - 1] == 0 &&
		out[i].to - out[i].from == out[i - 1].to - out[i - 1].from;
}

/* Sets all columns; nrows is 0 for points. */
static void
fill(struct index_column *out, struct sums *s, uint32_t nrows)
{
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = s->end
	};

	shares_begin(&s->shares);
	for (int i = 0; i < s->range.n; i++) {
		struct index_column *c = &out[i];

		*c = (struct index_column){ 0 };
		sweep_column(&next, &c->from, &c->to);
		if (is_same(s, out, i)) {
			c->nshares = c[-1].nshares;
			c->share = c[-1].share;
		} else if (c->from < c->to) {
			share_out(c, &s->shares, s, i,
				(index_uwide)(uint64_t)(c->to - c->from) *
					nrows);
		}
	}
}

/* A group whose columns are asked from its tree. */
struct asking {
	struct index_query *q;
	const struct widx_tree *tree;
	struct sums *sums;
	struct index_column *out;
	bool dear; /* its rows cost more than the budget */
};

/* Uses the tree for columns that are whole leaves. */
static bool
from_tree(void *arg)
{
	struct asking *a = arg;
	struct sums *s = a->sums;
	uint64_t m = (uint64_t)(s->range.width >> a->tree->level);
	uint64_t leaf = (uint64_t)(s->range.from >> a->tree->level);
	uint64_t n = tree_width(s->end, a->tree->level);

	/* Columns behind the end of the trace need no sums. */
	for (int i = 0; i <= s->range.n && (i == 0 || leaf - m < n);
		i++, leaf += m)
		if (!tree_border(a->q, a->tree, leaf, s, i))
			return false;
	sums_sort(s);
	return true;
}

/* Returns true if the columns are whole leaves of the tree. */
static bool
has_leaves(const struct widx_tree *t, const struct index_range *r)
{
	int64_t leaf = INT64_C(1) << t->level;

	return r->from >= 0 && r->width % leaf == 0 && r->from % leaf == 0;
}

/* A group whose rows would cost too much is answered in blocks: the smallest
 * power of two that has leaves and is not shorter than a column. */
static uint32_t
block_level(const struct widx_tree *t, int64_t width)
{
	uint32_t level = t->level;

	while (INT64_C(1) << level < width)
		level++;
	return level;
}

/* Returns true if blocks are less than twice as long as the columns or as a
 * leaf: only then may sums over blocks be used for columns. */
static bool
has_blocks(const struct widx_tree *t, int64_t width)
{
	return t->level <= 60 && width >> t->level < 4;
}

/* Sets *dear if reading the group's rows costs more than the budget. */
static bool
weigh(void *arg)
{
	struct asking *a = arg;
	const struct index_range *r = &a->sums->range;
	uint64_t nrows = a->q->ix->meta.group[a->tree->group].n, changes, most;
	int64_t to;

	if (__builtin_mul_overflow(r->width, r->n, &to) ||
		__builtin_add_overflow(r->from, to, &to) || to > a->sums->end)
		to = a->sums->end;
	if (r->from >= to)
		return true;
	if (!tree_changes(a->q, a->tree,
		    (struct tree_leaves){ (uint64_t)(r->from >> a->tree->level),
			    (uint64_t)((to - 1) >> a->tree->level) + 1 },
		    &changes))
		return false;
	most = nrows * (uint64_t)r->n * ADDING_RECORDS;
	a->dear = (changes < most ? changes : most) + nrows * ROW_WORK >
		a->q->group_budget;
	return true;
}

/* Weighs a group if its columns may be answered in blocks. */
static bool
weigh_tree(struct asking *a)
{
	const struct index_range *r = &a->sums->range;

	return a->q->group_budget == 0 || has_leaves(a->tree, r) ||
		!has_blocks(a->tree, r->width) || reader_query(a->q, weigh, a);
}

bool
index_group_is_dear(struct index_query *q, uint32_t group, uint32_t type,
	struct index_range range, bool *dear)
{
	struct widx_tree tree = { 0 };
	struct sums s = { .range = range, .end = q->ix->meta.end };
	struct asking asking = { .q = q, .tree = &tree, .sums = &s };
	bool ok = range.from < 0 || !tree_find(q, group, type, &tree) ||
		weigh_tree(&asking);

	*dear = asking.dear;
	return ok && q->state == INDEX_OK;
}

static bool
from_rows(struct index_query *q, const struct index_group *g, uint32_t type,
	struct sums *s)
{
	for (uint32_t i = 0; i < g->n;) {
		uint32_t series[ADDING_AT_ONCE];
		size_t n = 0;

		for (; i < g->n && n < ADDING_AT_ONCE; i++) {
			series[n] = index_series(q->ix, g->rows[i], type, 0);
			n += series[n] != INDEX_NONE;
		}
		if (!adding_rows(s, q, series, n))
			return false;
	}
	sums_end(s);
	return true;
}

/* Sets a column to the block of 1 << level that contains its start. */
static bool
set_block(struct asking *a, struct index_column *c, uint32_t level)
{
	const struct widx_tree *t = a->tree;
	struct sums *s = a->sums;
	int64_t block = INT64_C(1) << level, end = s->end;
	uint64_t nrows = a->q->ix->meta.group[t->group].n, leaf;

	c->from = c->from / block * block;
	c->to = end - c->from < block ? end : c->from + block;
	leaf = (uint64_t)(c->from >> t->level);
	sums_begin(s, (struct index_range){ 0, 1, 1 }, end);
	if (!tree_add(a->q, t,
		    (struct tree_leaves){
			    leaf, leaf + (UINT64_C(1) << (level - t->level)) },
		    s, 0))
		return false;
	sums_sort(s);
	share_out(c, &s->shares, s, 0,
		(index_uwide)(uint64_t)(c->to - c->from) * nrows);
	return true;
}

static bool
from_blocks(void *arg)
{
	struct asking *a = arg;
	struct index_range range = a->sums->range;
	uint32_t level = block_level(a->tree, range.width);
	struct sweep_columns next = {
		.from = range.from, .width = range.width, .end = a->sums->end
	};

	shares_begin(&a->sums->shares);
	a->q->coarse = (int)level - __builtin_ctzll((uint64_t)range.width);
	for (int i = 0; i < range.n; i++) {
		struct index_column *c = &a->out[i];

		*c = (struct index_column){ 0 };
		sweep_column(&next, &c->from, &c->to);
		if (c->from >= c->to)
			continue;
		if (i > 0 && c->from >> level == c[-1].from >> level)
			*c = c[-1];
		else if (!set_block(a, c, level))
			return false;
	}
	return true;
}

bool
index_group_columns(struct index_query *q, struct arena *a, uint32_t group,
	uint32_t type, struct index_range range, struct index_column **out)
{
	const struct index_meta *meta = &q->ix->meta;
	const struct index_group *g = &meta->group[group];
	bool point = meta->type[type].type.kind == TYPE_POINT, ok, has_tree;
	struct widx_tree tree = { 0 };
	struct sums *s = sums_of(q, a, range.n);
	struct asking asking = { q, &tree, s, NULL, false };

	q->coarse = 0;
	*out = asking.out = s->column;
	sums_begin(s, range, meta->end);
	has_tree = range.from >= 0 && tree_find(q, group, type, &tree);
	if (has_tree && has_leaves(&tree, &range)) {
		ok = reader_query(q, from_tree, &asking);
	} else {
		if (has_tree && !weigh_tree(&asking))
			return false;
		if (asking.dear)
			return reader_query(q, from_blocks, &asking);
		ok = from_rows(q, g, type, s);
	}
	if (ok)
		fill(*out, s, point ? 0 : g->n);
	return ok && q->state == INDEX_OK;
}
