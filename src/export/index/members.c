/* SPDX-License-Identifier: MIT */
/* What the rows of a group show together. */
#include <string.h>

#include "base/arena.h"
#include "export/index/sweep.h"

struct members {
	struct index_query *q;
	struct index_range range;
	struct index_column *out;
	uint64_t *time; /* by column and class */
	uint32_t series;
	bool point;
};

/* Adds one member. */
static bool
add(void *arg)
{
	struct members *m = arg;
	struct sweep s;
	struct sweep_columns next = { .sweep = &s,
		.from = m->range.from,
		.width = m->range.width,
		.end = m->q->ix->meta.end };

	if (!sweep_open(&s, m->q, m->series))
		return false;
	m->point = s.point;
	for (int i = 0; i < m->range.n; i++) {
		uint64_t *time = &m->time[(size_t)i * INDEX_CLASSES];
		uint64_t length;
		int64_t from, to;

		if (!sweep_column(&next, &from, &to))
			return false;
		if (from >= to)
			continue;
		length = (uint64_t)(to - from);
		for (unsigned slot = 0; slot < s.nseen; slot++) {
			uint64_t part = sweep_part(&s, slot);

			if (!s.point && part > length)
				return reader_damaged(m->q, s.w.v.base);
			time[view_class(&s.w.v, slot)] += part;
		}
		m->out[i].changes += s.number - s.number_before;
	}
	return walk_pay(m->q, m->range.n);
}

/* What all members together have of a column. */
static void
share_out(struct members *m, struct arena *a, int column, uint32_t nrows)
{
	struct index_column *c = &m->out[column];
	const uint64_t *time = &m->time[(size_t)column * INDEX_CLASSES];
	index_uwide none = (index_uwide)(uint64_t)(c->to - c->from) * nrows;
	struct index_share *share;
	int n = 0;

	if (c->from >= c->to)
		return;
	share = ARENA_ARRAY(a, struct index_share, INDEX_CLASSES);
	for (int class = 0; class < INDEX_CLASS_NONE; class ++) {
		if (time[class] == 0)
			continue;
		none -= time[class];
		share[n++] = (struct index_share){ (int64_t)time[class],
			(uint8_t) class };
	}
	if (!m->point && none > 0)
		share[n++] =
			(struct index_share){ none > INT64_MAX ? INT64_MAX
							       : (int64_t)none,
				INDEX_CLASS_NONE };
	c->share = share;
	c->nshares = n;
}

bool
index_group_columns(struct index_query *q, struct arena *a, uint32_t group,
	uint32_t type, struct index_range range, struct index_column **out)
{
	const struct index_meta *meta = &q->ix->meta;
	const struct index_group *g = &meta->group[group];
	struct members m = { .q = q,
		.range = range,
		.out = ARENA_ARRAY(a, struct index_column, range.n) };
	struct sweep_columns next = {
		.from = range.from, .width = range.width, .end = meta->end
	};

	*out = m.out;
	m.point = meta->type[type].type.kind == TYPE_POINT;
	m.time = ARENA_ARRAY(a, uint64_t, (size_t)range.n * INDEX_CLASSES);
	for (int i = 0; i < range.n; i++)
		sweep_column(&next, &m.out[i].from, &m.out[i].to);
	for (uint32_t i = 0; i < g->n; i++) {
		m.series = index_series(q->ix, g->rows[i], type, 0);
		if (m.series != INDEX_NONE && !reader_query(q, add, &m))
			return false;
	}
	for (int i = 0; i < range.n; i++)
		share_out(&m, a, i, g->n);
	return q->state == INDEX_OK;
}
