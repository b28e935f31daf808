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
 *	... adding_rows(&s, &query, series, nseries) ...
 *	sums_end(&s);
 *	for (int i = 0; i < s.n; i++)
 *		use(s.class[i], sums_time(&s, i)[column].time);
 */
#ifndef WEFT_EXPORT_INDEX_SUMS_H
#define WEFT_EXPORT_INDEX_SUMS_H

#include "export/index/shares.h"
#include "export/index/sweep.h"

/* The sums of a class in a column. */
struct sums_cell {
	uint64_t time;
	/* Rows that begin to fill whole columns with the class here, less those
	 * that stop, modulo 2^64: sums_end() adds their time. */
	uint64_t fills;
};

struct sums {
	struct index_range range;
	int64_t end; /* end of the trace */
	int n;       /* number of classes that occur, without VALUE_NONE */
	uint8_t class[INDEX_CLASSES]; /* these classes; ascending after
	                                 sums_end() */
	uint64_t *changes;            /* by column */
	struct index_column *column;  /* an answer: any contents */
	/* By class and column. NULL: the class never occurred. Memory is kept
	 * from one range to the next. */
	struct sums_cell *row[INDEX_CLASSES];
	bool used[INDEX_CLASSES]; /* in this range */
	int room;                 /* columns */
	struct shares shares;     /* of the columns of an answer */
	struct arena *arena;
};

/* Makes sums for ranges of at most n columns. */
void sums_init(struct sums *s, struct arena *a, int n);

/* Returns the sums of the query, or new ones in the arena. */
struct sums *sums_of(struct index_query *q, struct arena *a, int n);

/* Starts with a range; all sums are 0. */
void sums_begin(struct sums *s, struct index_range range, int64_t end);

/* Completes the times after the last series, and sorts the classes. */
void sums_end(struct sums *s);

/* Sorts the classes, if no series was added. */
void sums_sort(struct sums *s);

/* Begins to use a class, whose times are 0. */
void sums_use(struct sums *s, uint8_t class);

/* Returns the sums of a class by column. Those of VALUE_NONE may be anything.
 */
static inline struct sums_cell *
sums_row(struct sums *s, uint8_t class)
{
	if (__builtin_expect(!s->used[class], 0))
		sums_use(s, class);
	return s->row[class];
}

/* Returns the sums by column of class number i of those that occur. */
static inline const struct sums_cell *
sums_time(const struct sums *s, int i)
{
	return s->row[s->class[i]];
}

#endif
