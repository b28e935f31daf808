/* SPDX-License-Identifier: MIT */
/*
 * plan.h - decides which parts of a trace a report shows: its types in the
 * order of their time, the widths of columns, and the rows for which there is
 * room.
 */
#ifndef WEFT_SERVE_PLAN_H
#define WEFT_SERVE_PLAN_H

#include "base/vec.h"
#include "export/index/query.h"
#include "export/index/tile.h"
#include "serve/totals.h"

#define PLAN_COLUMNS 2048 /* columns of an overview */
#define PLAN_OUTERMOST 4  /* groups in the overview, as in web/minimap.ts */
#define PLAN_ROWS 200     /* most rows of a class in the pictures */

struct plan_type {
	uint32_t id;
	enum tile_kind kind;
	index_wide time; /* time with a value other than "nothing", summed over
	                  * all rows */
	int nvalues;     /* longest first, without "nothing" */
	const struct total *value;
	VEC(const char *)
	rows; /* groups and rows of the pictures as parameters of tiles: at most
	       * TILE_ROWS each */
	const char *outermost; /* groups that no other one contains, as the
	                        * overview of the page shows them; of states */
	const uint32_t *row;   /* the rows of the pictures; nrows of them */
	uint32_t nrows, all_rows;
	struct plan_width {
		bool full;    /* no room was left for a further width */
		size_t bytes; /* compressed, of the columns of the last width;
		               * 0: unknown */
		int64_t width;
	} wider, finer; /* columns of other widths than the overview's */
};

struct plan {
	int n;
	struct plan_type *type; /* types with records; types of states first,
	                         * then by time */
	int step; /* step of the ladder of widths at which the whole trace has
	           * PLAN_COLUMNS columns */
};

/* Returns a width of a column on the ladder: 1, 2, 3, 4, 5, 6, 7, 8, 10,
 * 12... */
int64_t plan_width(int step);

/* Returns the finest step of the ladder at which that many columns cover a
 * time. */
int plan_fit(int64_t time, int64_t columns);

/* Returns false if the index could not answer; q->state says why. */
bool plan_make(struct index_query *q, struct arena *a, struct plan *out);

#endif
