/* SPDX-License-Identifier: MIT */
/*
 * plan.h - what of a trace a report shows: its types by their time, the widths
 * of columns, the rows that have room.
 */
#ifndef WEFT_SERVE_PLAN_H
#define WEFT_SERVE_PLAN_H

#include "base/vec.h"
#include "export/index/query.h"
#include "export/index/tile.h"
#include "serve/totals.h"

#define PLAN_COLUMNS 2048 /* of an overview */
#define PLAN_ROWS 200     /* of a class, in pictures */

struct plan_type {
	uint32_t id;
	enum tile_kind kind;
	index_wide time; /* with a value other than nothing, of all rows */
	int nvalues;     /* longest first; without nothing */
	const struct total *value;
	VEC(const char *)
	rows; /* groups and rows of pictures, as tiles take
	       * them: at most TILE_ROWS each */
	uint32_t nrows, all_rows;
	bool no_wider, no_finer; /* a width of that side had no room */
};

struct plan {
	int n;
	struct plan_type *type; /* with records; states first, then by time */
	int step; /* of the ladder: the whole trace in PLAN_COLUMNS columns */
};

/* Width of a column on the ladder: 1, 2, 3, 4, 5, 6, 7, 8, 10, 12... */
int64_t plan_width(int step);

/* The finest step at which so many columns show a time. */
int plan_fit(int64_t time, int64_t columns);

/* False: the index could not say, see q->state. */
bool plan_make(struct index_query *q, struct arena *a, struct plan *out);

#endif
