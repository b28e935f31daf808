/* SPDX-License-Identifier: MIT */
/* Sums the time of each value in a window, and counts records. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compare.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/index/sweep.h"

/* Values and their times during the summation. */
struct by_value {
	struct arena *a;
	int64_t from, to;
	struct map of; /* value -> index + 1; owned */
	VEC(struct index_time) at;
};

static bool
add(void *arg, const struct index_interval *iv)
{
	struct by_value *v = arg;
	uint64_t *index = map_put(&v->of, (uint64_t)iv->value);
	int64_t from = iv->from > v->from ? iv->from : v->from;
	int64_t to = iv->to < v->to ? iv->to : v->to;
	struct index_time *t;

	if (*index == 0) {
		VEC_PUSH(
			&v->at, v->a, ((struct index_time){ iv->value, 0, 0 }));
		*index = (uint64_t)v->at.n;
	}
	t = &v->at.at[*index - 1];
	t->time += to > from ? to - from : 0;
	t->intervals++;
	return true;
}

static int
by_value(const void *x, const void *y)
{
	const struct index_time *p = x, *q = y;

	COMPARE(p->value, q->value);
	return 0;
}

/* Sums by class, for a series in which each class has one value. */
static bool
from_classes(struct index_query *q, struct arena *a, uint32_t series,
	struct by_value *v)
{
	struct index_column *c;
	uint32_t row, type, lane;

	if (!index_series_of(q->ix, series, &row, &type, &lane) ||
		!index_columns(q, a, series,
			(struct index_range){ v->from, v->to - v->from, 1 },
			&c))
		return false;
	for (int i = 0; i < c->nshares; i++) {
		const struct index_type *t = &q->ix->meta.type[type];
		uint8_t class = c->share[i].class;

		VEC_PUSH(&v->at, a,
			((struct index_time){ class < t->nvalues
					? t->value[class]
					: VALUE_NONE,
				c->share[i].time, 0 }));
	}
	return true;
}

/* Returns true if the classes of the series determine its values, and their
 * times are summed. */
static bool
has_classes(const struct index *ix, uint32_t series)
{
	uint32_t row, type, lane;

	return index_series_of(ix, series, &row, &type, &lane) &&
		!ix->meta.type[type].hashed &&
		ix->meta.type[type].type.kind == TYPE_STATE;
}

bool
index_by_value(struct index_query *q, struct arena *a, uint32_t series,
	struct index_window window, struct index_times *out)
{
	int64_t end = q->ix->meta.end;
	struct by_value v = { .a = a,
		.from = window.from < 0 ? 0 : window.from,
		.to = window.to > end ? end : window.to };
	bool ok;

	*out = (struct index_times){ 0 };
	if (v.from >= v.to)
		return q->state == INDEX_OK;
	if (!window.count && has_classes(q->ix, series))
		ok = from_classes(q, a, series, &v);
	else
		ok = index_intervals(q, series, v.from, v.to, add, &v);
	map_fini(&v.of);
	if (v.at.n > 1)
		qsort(v.at.at, (size_t)v.at.n, sizeof *v.at.at, by_value);
	if (!window.count) {
		int n = 0;

		for (int i = 0; i < v.at.n; i++)
			if (v.at.at[i].time > 0)
				v.at.at[n++] = v.at.at[i];
		v.at.n = n;
		for (int i = 0; i < n; i++)
			v.at.at[i].intervals = 0;
	}
	*out = (struct index_times){ v.at.at, v.at.n };
	return ok;
}
