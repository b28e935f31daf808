/* SPDX-License-Identifier: MIT */
/* Sums one row, or the rows of a group, for each column. */
#include <string.h>

#include "base/arena.h"
#include "export/index/tree.h"

#define GROUP_BUDGET 8000000 /* intervals */
#define ROW_WORK 100         /* intervals: cost of finding a row's records */

/* Sets the shares of a column, which has number i of the sums. Returns false
 * if they add up to more than `whole`; of points there is no whole. */
static bool
share_out(struct index_column *c, struct arena *a, const struct sums *s, int i,
	index_uwide whole)
{
	struct index_share share[INDEX_CLASSES], *to;
	int n = 0;
	bool fits = true;

	for (int j = 0; j < s->n; j++) {
		uint64_t time = sums_time(s, j)[i];

		if (time == 0)
			continue;
		fits = fits && time <= whole;
		whole -= time <= whole ? time : whole;
		share[n++] = (struct index_share){ (int64_t)time, s->class [j],
			{ 0 } };
	}
	if (whole > 0)
		share[n++] = (struct index_share){
			whole > INT64_MAX ? INT64_MAX : (int64_t)whole,
			INDEX_CLASS_NONE, { 0 }
		};
	c->changes = s->changes[i];
	c->nshares = n;
	c->share = to = ARENA_ARRAY(a, struct index_share, n);
	memcpy(to, share, (size_t)n * sizeof *to);
	return fits;
}

/* Sets all columns; nrows is 0 for points. */
static bool
fill(struct index_column *out, struct arena *a, const struct sums *s,
	uint32_t nrows)
{
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = s->end
	};
	bool fits = true;

	for (int i = 0; i < s->range.n; i++) {
		struct index_column *c = &out[i];

		sweep_column(&next, &c->from, &c->to);
		if (c->from < c->to)
			fits = share_out(c, a, s, i,
				       (index_uwide)(uint64_t)(c->to -
					       c->from) *
					       nrows) &&
				fits;
	}
	return fits || nrows == 0;
}

struct looking {
	struct index_query *q;
	uint32_t series;
	bool point;
};

static bool
look_up(void *arg)
{
	struct looking *l = arg;
	const struct index *ix = l->q->ix;

	if (l->series >= ix->series.n)
		return reader_damaged(l->q, ix->series.at);
	l->point = (ix->series.at[l->series].flags & WIDX_POINT) != 0;
	return true;
}

bool
index_columns(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_column **out)
{
	struct sums *s = sums_of(q, a, range.n);
	struct looking l = { q, series, false };

	*out = ARENA_ARRAY(a, struct index_column, range.n);
	if (!reader_query(q, look_up, &l))
		return false;
	sums_begin(s, range, q->ix->meta.end);
	if (!sums_add(s, q, series))
		return false;
	sums_end(s);
	return fill(*out, a, s, !l.point) ||
		reader_damaged(q, q->ix->series.at + series);
}

/* A group whose columns are asked from its tree. */
struct asking {
	struct index_query *q;
	struct arena *arena;
	const struct widx_tree *tree;
	struct sums *sums;
	struct index_column *out;
};

/* Uses nodes of the tree for columns whose width is m nodes of a level. */
static bool
from_tree(void *arg)
{
	struct asking *a = arg;
	struct sums *s = a->sums;
	uint32_t level = (uint32_t)__builtin_ctzll((uint64_t)s->range.width);
	uint64_t m = (uint64_t)s->range.width >> level;
	uint64_t node = (uint64_t)(s->range.from >> level);

	for (int i = 0; i < s->range.n; i++, node += m)
		if (!tree_add(a->q, a->tree,
			    (struct tree_nodes){ level, node, node + m }, s, i))
			return false;
	sums_sort(s);
	return true;
}

/* Returns true if the columns are whole nodes of the tree. */
static bool
has_nodes(const struct widx_tree *t, const struct index_range *r)
{
	uint32_t level = (uint32_t)__builtin_ctzll((uint64_t)r->width);

	return r->from >= 0 && level >= t->level && r->width >> level <= 7 &&
		r->from % (INT64_C(1) << level) == 0;
}

/* The group costs too much: the answer is for wider columns, from the group's
 * tree. */
static bool
is_dear(const struct index_query *q, const struct sums *s)
{
	uint64_t most = q->group_budget != 0 ? q->group_budget : GROUP_BUDGET;

	return s->work > most;
}

static bool
from_rows(struct index_query *q, const struct index_group *g, uint32_t type,
	struct sums *s, bool may_stop)
{
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t series = index_series(q->ix, g->rows[i], type, 0);

		s->work += ROW_WORK;
		if (series != INDEX_NONE && !sums_add(s, q, series))
			return false;
		if (may_stop && is_dear(q, s))
			return true;
	}
	sums_end(s);
	return true;
}

/* Gives each column the node of the finest level that contains its start. */
static bool
from_leaves(void *arg)
{
	struct asking *a = arg;
	struct sums *s = a->sums;
	const struct widx_tree *t = a->tree;
	int64_t leaf = INT64_C(1) << t->level, end = s->end;
	struct index_range range = s->range, one = { 0, 1, 1 };
	uint32_t nrows = a->q->ix->meta.group[t->group].n;
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = end
	};

	a->q->coarse = (int)t->level - __builtin_ctzll((uint64_t)range.width);
	for (int i = 0; i < range.n; i++) {
		struct index_column *c = &a->out[i];
		uint64_t node;

		sweep_column(&next, &c->from, &c->to);
		if (c->from >= c->to)
			continue;
		node = (uint64_t)(c->from / leaf);
		sums_begin(s, one, end);
		if (!tree_add(a->q, t,
			    (struct tree_nodes){ t->level, node, node + 1 }, s,
			    0))
			return false;
		sums_sort(s);
		c->from = c->from / leaf * leaf;
		c->to = end - c->from < leaf ? end : c->from + leaf;
		share_out(c, a->arena, s, 0,
			(index_uwide)(uint64_t)(c->to - c->from) * nrows);
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
	struct asking asking = { q, a, &tree, s, NULL };

	q->coarse = 0;
	*out = asking.out = ARENA_ARRAY(a, struct index_column, range.n);
	sums_begin(s, range, meta->end);
	has_tree = range.from >= 0 && tree_find(q, group, type, &tree);
	if (has_tree && has_nodes(&tree, &range))
		ok = reader_query(q, from_tree, &asking);
	else
		ok = from_rows(q, g, type, s,
			has_tree && range.width >> tree.level == 0);
	if (ok && has_tree && range.width >> tree.level == 0 && is_dear(q, s))
		return reader_query(q, from_leaves, &asking);
	if (ok)
		fill(*out, a, s, point ? 0 : g->n);
	return ok && q->state == INDEX_OK;
}
