/* SPDX-License-Identifier: MIT */
/*
 * totals.h - how much time each value has, summed over rows.
 *
 *	struct totals t = { 0 };
 *	totals_add(&t, &arena, &times); ...    (of one series after the other)
 *	totals_end(&t);
 *	use(t.value.at[0].value);              the value with most time
 */
#ifndef WEFT_SERVE_TOTALS_H
#define WEFT_SERVE_TOTALS_H

#include "base/map.h"
#include "base/vec.h"
#include "export/index/query.h"

struct total {
	int64_t value;
	index_wide time;
};

struct totals {
	VEC(struct total) value; /* in the arena of totals_add() */
	struct map of;           /* value -> index + 1 */
};

/* Adds the times of a series. */
void totals_add(
	struct totals *t, struct arena *a, const struct index_times *times);

/* Sorts the values, those with most time first, and frees the map; nothing can
 * be added any more. */
void totals_end(struct totals *t);

#endif
