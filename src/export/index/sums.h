/* SPDX-License-Identifier: MIT */
/*
 * sums.h - sums the time of each class in each column over several rows.
 *
 * A row with few records for each column is walked: each interval adds its time
 * to its first and last column, and marks where the columns between them begin
 * and end, so a long interval costs as much as a short one. A row with more
 * records is swept: one difference of running sums for each column.
 *
 *	sums_init(&s, &arena, n);
 *	sums_begin(&s, range, end);
 *	if (!sums_add(&s, &query, series, nseries)) ...
 *	sums_end(&s);
 *	for (int i = 0; i < s.n; i++) use(s.class[i], sums_time(&s, i)[column]);
 */
#ifndef WEFT_EXPORT_INDEX_SUMS_H
#define WEFT_EXPORT_INDEX_SUMS_H

#include "export/index/sweep.h"

struct sums {
	struct index_range range;
	int64_t end; /* end of the trace */
	int n;       /* number of classes that occur, without VALUE_NONE */
	uint8_t class[INDEX_CLASSES]; /* these classes; ascending after
	                                 sums_end() */
	uint64_t *changes;            /* by column */
	/* By class: times by column; behind them, by column, the rows that
	 * begin to fill whole columns with the class less those that stop,
	 * modulo 2^64. NULL: the class never occurred. Memory is kept from one
	 * range to the next. */
	uint64_t *row[INDEX_CLASSES];
	bool used[INDEX_CLASSES];   /* in this range */
	bool filled[INDEX_CLASSES]; /* some rows fill whole columns */
	int room;                   /* columns */
	struct arena *arena;
};

/* Makes sums for ranges of at most n columns. */
void sums_init(struct sums *s, struct arena *a, int n);

/* Returns the sums of the query, or new ones in the arena. */
struct sums *sums_of(struct index_query *q, struct arena *a, int n);

/* Starts with a range; all sums are 0. */
void sums_begin(struct sums *s, struct index_range range, int64_t end);

/* Reading this many records costs as much as computing the sums of one
 * column. */
#define SUMS_RECORDS 16
#define SUMS_AT_ONCE 16 /* series that are best added by one call */

/* Adds the times of n series. Returns false with q->state. */
bool sums_add(struct sums *s, struct index_query *q, const uint32_t *series,
	size_t n);

/* Completes the times after the last series, and sorts the classes. */
void sums_end(struct sums *s);

/* Sorts the classes, if no series was added. */
void sums_sort(struct sums *s);

/* Begins to use a class, whose times are 0. */
void sums_use(struct sums *s, uint8_t class);

/* Returns the times of a class by column. Those of VALUE_NONE may be anything.
 */
static inline uint64_t *
sums_row(struct sums *s, uint8_t class)
{
	if (__builtin_expect(!s->used[class], 0))
		sums_use(s, class);
	return s->row[class];
}

/* Returns the times by column of class number i of those that occur. */
static inline const uint64_t *
sums_time(const struct sums *s, int i)
{
	return s->row[s->class[i]];
}

#endif
