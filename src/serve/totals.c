/* SPDX-License-Identifier: MIT */
#include "serve/totals.h"

#include <stdlib.h>

#include "base/compare.h"

void
totals_add(struct totals *t, struct arena *a, const struct index_times *times)
{
	for (int i = 0; i < times->n; i++) {
		const struct index_time *of = &times->at[i];
		uint64_t *at = map_put(&t->of, (uint64_t)of->value);

		if (*at == 0) {
			VEC_PUSH(
				&t->value, a, ((struct total){ of->value, 0 }));
			*at = (uint64_t)t->value.n;
		}
		t->value.at[*at - 1].time += of->time;
	}
}

static int
longest_first(const void *va, const void *vb)
{
	const struct total *a = va, *b = vb;

	COMPARE(b->time, a->time);
	COMPARE(a->value, b->value);
	return 0;
}

void
totals_end(struct totals *t)
{
	map_fini(&t->of);
	if (t->value.n > 0)
		qsort(t->value.at, (size_t)t->value.n, sizeof *t->value.at,
			longest_first);
}
