/* SPDX-License-Identifier: MIT */
/*
 * sums.h - times of classes in columns, summed over rows.
 *
 * A row with fewer records than columns is walked: an interval adds to its two
 * border columns, and counts once where it begins to fill columns and where it
 * ends to, so that a long one costs as much as a short one. One with more is
 * swept, a difference of running sums a column.
 */
#ifndef WEFT_EXPORT_INDEX_SUMS_H
#define WEFT_EXPORT_INDEX_SUMS_H

#include "export/index/sweep.h"

struct sums {
	struct index_range range;
	int64_t end;       /* of the trace */
	uint64_t *time;    /* by column and class, but of nothing */
	uint64_t *fills;   /* rows that begin to fill columns with a class, less
	                    * those that end to; modulo 2^64 */
	uint64_t *changes; /* by column */
	uint64_t work;     /* intervals walked, and columns swept */
};

/* Memory for so many columns; 0 everywhere. */
void sums_init(struct sums *s, struct arena *a, int n);

/* Starts anew with a range of as many columns or fewer. */
void sums_begin(struct sums *s, struct index_range range, int64_t end);

/* Adds a series. */
bool sums_add(struct sums *s, struct index_query *q, uint32_t series);

/* After the last series: times are complete. */
void sums_end(struct sums *s);

#endif
