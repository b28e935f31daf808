/* SPDX-License-Identifier: MIT */
/*
 * columns.h - how many columns of a terminal a text takes.
 *
 * An accent that is a character of its own takes no column; a Chinese, Japanese
 * or Korean character and most emoji take two columns. The tables are here
 * because the tables of the C library depend on the locale, but the texts of a
 * trace do not.
 */
#ifndef WEFT_BASE_COLUMNS_H
#define WEFT_BASE_COLUMNS_H

#include <stddef.h>

/* Returns the bytes of the first character; an invalid byte is a character of
 * its own. *columns receives its width: 0, 1 or 2. */
int columns_next(const char *text, int *columns);

/* Returns the columns of a text, and of its first n bytes. */
int columns_of(const char *text);
int columns_of_bytes(const char *text, size_t n);

#endif
