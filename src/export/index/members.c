/* SPDX-License-Identifier: MIT */
/* Sums the rows of a group. */
#include "base/arena.h"
#include "export/index/tree.h"

#define GROUP_BUDGET 8000000 /* intervals */
#define ROW_WORK 100         /* intervals: cost of finding a row's records */

/* Sums the shares of all members in a column. */
static void
share_out(struct index_column *c, struct arena *a, const uint64_t *time,
	index_uwide whole)
{
	struct index_share *share;
	int n = 0;

	share = ARENA_ARRAY(a, struct index_share, INDEX_CLASSES);
	for (int class = 0; class < INDEX_CLASS_NONE; class ++) {
		if (time[class] == 0)
			continue;
		whole -= time[class] <= whole ? time[class] : whole;
		share[n++] = (struct index_share){ (int64_t)time[class],
			(uint8_t) class };
	}
	if (whole > 0)
		share[n++] = (struct index_share){
			whole > INT64_MAX ? INT64_MAX : (int64_t)whole,
			INDEX_CLASS_NONE
		};
	c->share = share;
	c->nshares = n;
}

static void
fill(struct index_column *out, struct arena *a, const struct sums *s,
	uint32_t nrows)
{
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = s->end
	};

	for (int i = 0; i < s->range.n; i++) {
		struct index_column *c = &out[i];

		sweep_column(&next, &c->from, &c->to);
		if (c->from >= c->to)
			continue;
		c->changes = s->changes[i];
		share_out(c, a, &s->time[(size_t)i * INDEX_CLASSES],
			(index_uwide)(uint64_t)(c->to - c->from) * nrows);
	}
}

/* Uses nodes of the tree for columns whose width is m nodes of a level. */
static bool
from_tree(struct index_query *q, const struct widx_tree *t, struct sums *s)
{
	uint32_t level = (uint32_t)__builtin_ctzll((uint64_t)s->range.width);
	int64_t m = s->range.width >> level;
	uint64_t node = (uint64_t)(s->range.from >> level);

	for (int i = 0; i < s->range.n; i++)
		for (int64_t j = 0; j < m; j++)
			if (!tree_add(q, t, level, node++, s, i))
				return false;
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

/* The group costs too much: answers with wider columns from its tree. */
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
from_leaves(struct index_query *q, struct arena *a, const struct widx_tree *t,
	struct sums *s, struct index_column *out)
{
	int64_t leaf = INT64_C(1) << t->level, end = s->end;
	struct index_range range = s->range, one = { 0, 1, 1 };
	uint32_t nrows = q->ix->meta.group[t->group].n;
	struct sweep_columns next = {
		.from = s->range.from, .width = s->range.width, .end = end
	};

	q->coarse = (int)t->level - __builtin_ctzll((uint64_t)range.width);
	for (int i = 0; i < range.n; i++) {
		struct index_column *c = &out[i];

		sweep_column(&next, &c->from, &c->to);
		if (c->from >= c->to)
			continue;
		sums_begin(s, one, end);
		if (!tree_add(q, t, t->level, (uint64_t)(c->from / leaf), s, 0))
			return false;
		c->from = c->from / leaf * leaf;
		c->to = end - c->from < leaf ? end : c->from + leaf;
		c->changes = s->changes[0];
		share_out(c, a, s->time,
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
	struct sums s;

	q->coarse = 0;
	*out = ARENA_ARRAY(a, struct index_column, range.n);
	sums_init(&s, a, range.n);
	sums_begin(&s, range, meta->end);
	has_tree = range.from >= 0 && tree_find(q, group, type, &tree);
	if (has_tree && has_nodes(&tree, &range))
		ok = from_tree(q, &tree, &s);
	else
		ok = from_rows(q, g, type, &s,
			has_tree && range.width >> tree.level == 0);
	if (ok && has_tree && range.width >> tree.level == 0 && is_dear(q, &s))
		return from_leaves(q, a, &tree, &s, *out);
	if (ok)
		fill(*out, a, &s, point ? 0 : g->n);
	return ok && q->state == INDEX_OK;
}
