/* SPDX-License-Identifier: MIT */
#include "mem/structure/outline.h"

#include <stdlib.h>

#include "base/arena.h"

int
outline_add(
	struct outline *o, struct arena *a, const struct outline_scope *scope)
{
	VEC_PUSH(&o->scope, a, *scope);
	return o->scope.n - 1;
}

void
outline_range(
	struct outline *o, struct arena *a, int scope, uint64_t lo, uint64_t hi)
{
	if (lo < hi)
		VEC_PUSH(&o->range, a,
			((struct outline_range){ lo, hi, hi, scope }));
}

static int
order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Puts outer ranges before inner ones. */
static int
by_range(const void *pa, const void *pb)
{
	const struct outline_range *a = pa, *b = pb;

	if (a->lo != b->lo)
		return order(a->lo, b->lo);
	if (a->hi != b->hi)
		return order(b->hi, a->hi);
	return (a->scope > b->scope) - (a->scope < b->scope);
}

static int
by_line(const void *pa, const void *pb)
{
	const struct outline_line *a = pa, *b = pb;

	return order(a->lo, b->lo);
}

static int
by_scope(const void *pa, const void *pb)
{
	const struct outline_local *a = pa, *b = pb;

	if (a->scope != b->scope)
		return (a->scope > b->scope) - (a->scope < b->scope);
	if (a->lo != b->lo)
		return order(a->lo, b->lo);
	return (a->local.offset > b->local.offset) -
		(a->local.offset < b->local.offset);
}

void
outline_sort(struct outline *o)
{
	uint64_t reach = 0;

	if (o->range.n > 0)
		qsort(o->range.at, (size_t)o->range.n, sizeof *o->range.at,
			by_range);
	if (o->line.n > 0)
		qsort(o->line.at, (size_t)o->line.n, sizeof *o->line.at,
			by_line);
	if (o->local.n > 0)
		qsort(o->local.at, (size_t)o->local.n, sizeof *o->local.at,
			by_scope);
	for (int i = 0; i < o->range.n; i++) {
		if (o->range.at[i].hi > reach)
			reach = o->range.at[i].hi;
		o->range.at[i].reach = reach;
	}
}

int
outline_at(const struct outline *o, uint64_t address)
{
	int lo = 0, hi = o->range.n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (o->range.at[middle].lo <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	for (int i = lo - 1; i >= 0 && o->range.at[i].reach > address; i--)
		if (o->range.at[i].hi > address)
			return o->range.at[i].scope;
	return -1;
}

const struct outline_line *
outline_line_at(const struct outline *o, uint64_t address)
{
	int lo = 0, hi = o->line.n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (o->line.at[middle].lo <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo == 0 || o->line.at[lo - 1].hi <= address)
		return NULL;
	return &o->line.at[lo - 1];
}

/* Returns the index of the first local of a scope. */
static int
first_local(const struct outline *o, int scope)
{
	int lo = 0, hi = o->local.n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (o->local.at[middle].scope < scope)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

struct locals
outline_locals(const struct outline *o, struct arena *a, uint64_t address)
{
	VEC(struct local) list = { 0 };
	int scope = outline_at(o, address);

	for (; scope >= 0; scope = o->scope.at[scope].parent)
		for (int i = first_local(o, scope);
			i < o->local.n && o->local.at[i].scope == scope; i++) {
			const struct outline_local *l = &o->local.at[i];

			if (address >= l->lo && address < l->hi)
				VEC_PUSH(&list, a, l->local);
		}
	return (struct locals){ list.at, list.n };
}
