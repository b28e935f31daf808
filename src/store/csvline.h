/* SPDX-License-Identifier: MIT */
/*
 * csvline.h - a row as a record of CSV (RFC 4180), and back.
 *
 * Null is an empty field, the empty text is "". Texts are quoted when they
 * hold a comma, a quote or the end of a line; any other byte stands as it is,
 * a NUL too.
 */
#ifndef WEFT_STORE_CSVLINE_H
#define WEFT_STORE_CSVLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct textfile;

/* Puts the names of the columns, and a row. Names are given as texts. */
void csvline_head(struct textfile *f, const struct store_table *t);
void csvline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row);

/* The bytes of the record at s with its end, 0 if it is not complete. */
size_t csvline_length(const char *s, size_t n);

/* Takes a record of n bytes, with its end, apart; texts are unquoted in place.
 * False with err. */
bool csvline_read(char *s, size_t n, const struct store_table *t,
	struct store_value *row, struct err *err);

#endif
