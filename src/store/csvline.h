/* SPDX-License-Identifier: MIT */
/*
 * csvline.h - writes and reads a row as a CSV record (RFC 4180).
 *
 * Null is an empty field, the empty text is "". Texts with a comma, a quote or
 * the end of a line are quoted; all other bytes, even NULs, are written
 * unchanged.
 */
#ifndef WEFT_STORE_CSVLINE_H
#define WEFT_STORE_CSVLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct textfile;

/* Append the names of the columns, and a row. Interned names are given as
 * texts. */
void csvline_head(struct textfile *f, const struct store_table *t);
void csvline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row);

/* Returns the length of the record at s including its end, or 0 if the record
 * is incomplete. */
size_t csvline_length(const char *s, size_t n);

/* Parses a record of n bytes including its end. Texts are unquoted in place.
 * Returns false and sets err on failure. */
bool csvline_read(char *s, size_t n, const struct store_table *t,
	struct store_value *row, struct err *err);

#endif
