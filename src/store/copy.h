/* SPDX-License-Identifier: MIT */
/*
 * copy.h - copies the rows of one store into another.
 *
 * Rows of a spool file are never stored twice: the file has the number that the
 * first row of each table would have had in the store that could no longer be
 * reached. If that store has equal rows from this number on, these are skipped.
 * So an import may be repeated, and a batch whose answer was lost is not stored
 * again.
 */
#ifndef WEFT_STORE_COPY_H
#define WEFT_STORE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct store;
struct store_reader;
struct store_table;
struct store_value;

struct store_copied {
	uint64_t rows, skipped;
};

/* A change while rows are copied: adds `by` to the numbers in this column of
 * every table that has the column. */
struct store_shift {
	const char *column;
	uint64_t by;
	bool resume; /* the first rows of `from` are the rows of `there`, and
	              * are skipped */
};

/* Returns true if every table of `from` begins with the rows that the table has
 * in `there`. */
bool store_copy_resumes(struct store_reader *from, struct store_reader *there);

/*
 * Writes all rows into `to`. there: a reader of the same store as it was
 * before, or NULL if the store is new. shift may be NULL. The readers must live
 * until `to` is closed. Returns false and sets err when reading fails.
 */
bool store_copy(struct store_reader *from, struct store_reader *there,
	struct store *to, const struct store_shift *shift,
	struct store_copied *n, struct err *err);

/* Returns true if the rows of two stores have equal values; names are compared
 * as texts. */
bool store_same_row(const struct store_table *t, const struct store_reader *a,
	const struct store_value *row_a, const struct store_reader *b,
	const struct store_value *row_b);

#endif
