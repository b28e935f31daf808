/* SPDX-License-Identifier: MIT */
/* Time of each class or value in a window. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/index/sweep.h"

struct columns {
	struct index_query *q;
	struct arena *a;
	uint32_t series;
	int64_t from, width;
	int n;
	struct index_column *out;
};

static int
by_class(const void *x, const void *y)
{
	const struct index_share *p = x, *q = y;

	return (int)p->class - (int)q->class;
}

/* What the sweep says of the column. False: it cannot be. */
static bool
fill(struct arena *a, const struct sweep *s, struct index_column *c)
{
	struct index_share *share;
	uint64_t length = (uint64_t)(c->to - c->from), sum = 0;
	int n = 0;

	share = ARENA_ARRAY(a, struct index_share, s->nseen + 1);
	for (unsigned slot = 0; slot < s->nseen; slot++) {
		uint64_t part = sweep_part(s, slot);
		uint8_t class = view_class(&s->w.v, slot);

		if (part == 0 || class == INDEX_CLASS_NONE)
			continue;
		if (!s->point && (part > length || part > length - sum))
			return reader_damaged(s->w.q, s->w.v.base);
		sum += part;
		share[n++] = (struct index_share){ (int64_t)part, class };
	}
	if (!s->point && sum < length)
		share[n++] = (struct index_share){ (int64_t)(length - sum),
			INDEX_CLASS_NONE };
	if (n > 1)
		qsort(share, (size_t)n, sizeof *share, by_class);
	c->share = share;
	c->nshares = n;
	c->changes = s->number - s->number_before;
	return true;
}

static bool
columns(void *arg)
{
	struct columns *c = arg;
	struct sweep s;
	struct sweep_columns next = { .sweep = &s,
		.from = c->from,
		.width = c->width,
		.end = c->q->ix->meta.end };

	if (!sweep_open(&s, c->q, c->series))
		return false;
	for (int i = 0; i < c->n; i++) {
		struct index_column *to = &c->out[i];

		if (!sweep_column(&next, &to->from, &to->to))
			return false;
		if (to->from < to->to && !fill(c->a, &s, to))
			return false;
	}
	return true;
}

bool
index_columns(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_column **out)
{
	struct columns c = { q, a, series, range.from, range.width, range.n,
		ARENA_ARRAY(a, struct index_column, range.n) };

	*out = c.out;
	return reader_query(q, columns, &c);
}
