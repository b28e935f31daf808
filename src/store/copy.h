/* SPDX-License-Identifier: MIT */
/*
 * copy.h - the rows of one store, put into another.
 *
 * Of a spool file no row comes twice: it knows which number the first row of
 * each table would have had in the store that went away. Rows from that number
 * on that are there already, and equal, are skipped. So an import may be
 * repeated, and a batch whose answer was lost is not there twice.
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

/* The numbers of this column, in all tables that have it, become larger. */
struct store_shift {
	const char *column;
	uint64_t by;
	bool resume; /* the rows of `there` are the first of `from` */
};

/* True if what `there` has is how `from` begins, in every table. */
bool store_copy_resumes(struct store_reader *from, struct store_reader *there);

/*
 * Puts all rows into `to`. there: the same store, read as it was before, or
 * NULL if it was not there. shift: or NULL. The readers must live until `to` is
 * closed. False with err when reading fails.
 */
bool store_copy(struct store_reader *from, struct store_reader *there,
	struct store *to, const struct store_shift *shift,
	struct store_copied *n, struct err *err);

/* True if rows of two stores hold the same, names compared as texts. */
bool store_same_row(const struct store_table *t, const struct store_reader *a,
	const struct store_value *row_a, const struct store_reader *b,
	const struct store_value *row_b);

#endif
