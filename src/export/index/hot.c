/* SPDX-License-Identifier: MIT */
/* Finds values without length, which do not appear in sums of times. */
#include "export/index/hot.h"
#include "export/index/walk.h"

struct search {
	struct index_query *q;
	uint32_t series;
	struct index_range range;
	const uint8_t *class;
	int n;
	uint8_t *found;
};

static int
find(const struct search *s, uint8_t class)
{
	for (int i = 0; i < s->n; i++)
		if (s->class[i] == class)
			return i;
	return -1;
}

/* Returns true if the loaded chunk may have one of the classes. */
static bool
may_have(const struct search *s, const struct view *v)
{
	if (v->head.nlocal == 0)
		return true;
	for (unsigned j = 0; j < v->head.nlocal; j++)
		if (find(s, view_class(v, v->local[j])) >= 0)
			return true;
	return false;
}

/* Marks the column of the record, and skips the chunk if no record of it has
 * one of the classes. */
static void
note(struct search *s, struct walk *w, int64_t column)
{
	int i = find(s, view_class(&w->v, w->slot));

	if (i >= 0)
		s->found[column] |= (uint8_t)(1 << i);
	if (w->i == 1 && !may_have(s, &w->v))
		w->i = w->v.head.n;
}

static bool
search(void *arg)
{
	struct search *s = arg;
	const struct index_range *r = &s->range;
	struct walk w;
	bool some = true;

	if (!walk_open(&w, s->q, s->series) || !walk_seek(&w, r->from))
		return false;
	for (;;) {
		int64_t column;

		if (!walk_next(&w, &some))
			return false;
		if (!some)
			return true;
		if (w.t < r->from)
			return reader_damaged(s->q, w.v.base);
		column = (w.t - r->from) / r->width;
		if (column >= r->n)
			return true;
		note(s, &w, column);
	}
}

bool
hot_find(struct index_query *q, uint32_t series, struct index_range range,
	const struct hot *hot)
{
	struct search s = { q, series, range, hot->class, hot->n, hot->found };

	return s.n == 0 || reader_query(q, search, &s);
}
