/* SPDX-License-Identifier: MIT */
/*
 * sums.h - sums the time of each class in each column over several rows.
 *
 * A row with fewer records than columns is walked: each interval adds its time
 * to its first and last column, and marks where the columns between them begin
 * and end, so a long interval costs as much as a short one. A row with more
 * records is swept: one difference of running sums for each column.
 */
#ifndef WEFT_EXPORT_INDEX_SUMS_H
#define WEFT_EXPORT_INDEX_SUMS_H

#include "export/index/sweep.h"

struct sums {
	struct index_range range;
	int64_t end;     /* of the trace */
	uint64_t *time;  /* by column and class, without VALUE_NONE */
	uint64_t *fills; /* rows that begin to fill whole columns with a class,
	                    less those that stop; modulo 2^64 */
	uint64_t *changes; /* by column */
	uint64_t work;     /* intervals walked, and columns swept */
};

/* Allocates zeroed memory for n columns. */
void sums_init(struct sums *s, struct arena *a, int n);

/* Starts again with another range of at most as many columns. */
void sums_begin(struct sums *s, struct index_range range, int64_t end);

/* Adds the times of one series. Returns false with q->state. */
bool sums_add(struct sums *s, struct index_query *q, uint32_t series);

/* Completes the times after the last series. */
void sums_end(struct sums *s);

#endif
