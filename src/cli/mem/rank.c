/* SPDX-License-Identifier: MIT */
#include "cli/mem/rank.h"

#include <stdlib.h>

#include "base/arena.h"

static int
by_cost(const void *pa, const void *pb)
{
	const struct mem_ranked *a = pa, *b = pb;

	if (a->cost != b->cost)
		return a->cost < b->cost ? 1 : -1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return (a->with > b->with) - (a->with < b->with);
}

void
mem_rank(struct mem_ranking *k)
{
	if (k->list.n > 0)
		qsort(k->list.at, (size_t)k->list.n, sizeof *k->list.at,
			by_cost);
}

bool
mem_precedes(const struct mem_ranked *a, const struct mem_ranked *b)
{
	return by_cost(a, b) <= 0;
}

int
mem_shown(const struct mem_report *r, int n)
{
	int64_t top = r->options->top;

	return top > 0 && top < n ? (int)top : n;
}

static int
by_group(const void *pa, const void *pb)
{
	const struct mem_ranked *a = pa, *b = pb;

	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return by_cost(pa, pb);
}

void
mem_group(struct mem_groups *g, const struct mem_report *r,
	const struct pairs *pairs, bool by_variable)
{
	for (int i = 0; i < pairs->list.n; i++) {
		const struct pair *p = &pairs->list.at[i];
		uint64_t cost = p->cost[r->event].periods;
		struct mem_ranked one = { cost,
			by_variable ? p->variable : p->with,
			by_variable ? p->with : p->variable };

		if (cost > 0)
			VEC_PUSH(&g->all.list, r->arena, one);
	}
	if (g->all.list.n > 0)
		qsort(g->all.list.at, (size_t)g->all.list.n,
			sizeof *g->all.list.at, by_group);
	for (int i = g->all.list.n - 1; i >= 0; i--)
		*map_put(&g->first, g->all.list.at[i].index) = (uint64_t)i;
}

const struct mem_ranked *
mem_members(const struct mem_groups *g, uint32_t index, int *n)
{
	const uint64_t *first = map_get(&g->first, index);
	int at;

	*n = 0;
	if (first == NULL)
		return NULL;
	at = (int)*first;
	for (; at + *n < g->all.list.n &&
		g->all.list.at[at + *n].index == index;
		(*n)++)
		;
	return g->all.list.at + at;
}
