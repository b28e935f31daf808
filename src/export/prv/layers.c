/* SPDX-License-Identifier: MIT */
#include "export/prv/layers.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/compare.h"

void
prv_layers_hold(struct prv_layers *l, struct arena *a, int64_t time,
	const struct prv_layer *r)
{
	l->time = time;
	VEC_PUSH(&l->held, a, *r);
	l->held.at[l->held.n - 1].order = l->held.n;
}

static int
by_place(const void *pa, const void *pb)
{
	const struct prv_layer *a = pa, *b = pb;

	COMPARE(a->row, b->row);
	COMPARE(a->type, b->type);
	COMPARE(a->order, b->order);
	return 0;
}

static int
by_order(const void *pa, const void *pb)
{
	const struct prv_layer *a = pa, *b = pb;

	COMPARE(a->row, b->row);
	COMPARE(a->value != 0, b->value != 0);
	if (a->number != b->number)
		return (a->number < b->number) == (a->value != 0) ? -1 : 1;
	return 0;
}

/* Adds to `out` the records that change what the row's type shows. */
static void
change(struct prv_layers *l, struct arena *a, const struct prv_layer *to)
{
	uint64_t *shown =
		map_put(&l->shown, (uint64_t)to->row << 32 | to->type);
	struct prv_layer zero = *to;

	if (*shown == (uint64_t)to->value)
		return;
	zero.value = 0;
	if (*shown != 0)
		VEC_PUSH(&l->out, a, zero);
	if (to->value != 0)
		VEC_PUSH(&l->out, a, *to);
	*shown = (uint64_t)to->value;
}

void
prv_layers_sort(struct prv_layers *l, struct arena *a)
{
	struct prv_layer *r = l->held.at;
	int n = l->held.n;

	l->out.n = l->held.n = 0;
	if (n > 1)
		qsort(r, (size_t)n, sizeof *r, by_place);
	for (int i = 0; i < n; i++)
		if (i + 1 == n || r[i].row != r[i + 1].row ||
			r[i].type != r[i + 1].type)
			change(l, a, &r[i]);
	if (l->out.n > 1)
		qsort(l->out.at, (size_t)l->out.n, sizeof *l->out.at, by_order);
}

void
prv_layers_fini(struct prv_layers *l)
{
	map_fini(&l->shown);
}
