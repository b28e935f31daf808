/* SPDX-License-Identifier: MIT */
/*
 * lengths.h - the lengths of all intervals of several values of a type, in the
 * whole trace, from one reading of the records: for a report, which asks for
 * the durations of one value after the other.
 *
 *	struct lengths_all all = { .type = 3 };
 *	if (lengths_gather(&all, &query, values, n))
 *		... (route_durations() with call.lengths = &all)
 *	lengths_free(&all);
 */
#ifndef WEFT_SERVE_LENGTHS_H
#define WEFT_SERVE_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "export/index/query.h"
#include "serve/totals.h"

/* The lengths of the intervals of one value. */
struct lengths_list {
	int64_t *at; /* a heap block */
	size_t n, room;
};

struct lengths_all {
	int64_t type;
	int n;
	struct lengths_list *list; /* a heap block */
	struct map of;             /* value -> index + 1 */
};

/* Gathers the lengths of n values of all rows. Returns false if the index
 * fails. */
bool lengths_gather(struct lengths_all *all, struct index_query *q,
	const struct total *value, int n);

void lengths_free(struct lengths_all *all);

#endif
