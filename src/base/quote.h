/* SPDX-License-Identifier: MIT */
/*
 * quote.h - escapes texts for JSON and CSV. The caller repeats the call until
 * all text is written, each time with some room for output:
 *
 *	const char *at = text;
 *	while (at < text + n) {
 *		make_room(QUOTE_ROOM);
 *		to = quote_json(to, end, &at, text + n);
 *	}
 *
 * The caller writes the quotes around the text.
 */
#ifndef WEFT_BASE_QUOTE_H
#define WEFT_BASE_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#define QUOTE_ROOM 64 /* least distance in bytes from `to` to `end` */

/*
 * Writes the escaped text at `to`, until the text ends or the next character
 * might not fit; moves *text past the characters that were written. Returns the
 * end of the output.
 */
typedef char *quote_fn(
	char *to, const char *end, const char **text, const char *stop);

/* Bytes that are not UTF-8 become U+FFFD; NUL is escaped like any control
 * character. */
quote_fn quote_json;

/* Escapes as RFC 4180 says; any bytes. */
quote_fn quote_csv;

/* Returns true if a CSV field must be quoted and escaped with quote_csv();
 * false: the text can be written unchanged. */
bool quote_csv_needs(const char *text, size_t n);

#endif
