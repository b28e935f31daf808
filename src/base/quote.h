/* SPDX-License-Identifier: MIT */
/*
 * quote.h - texts inside JSON and CSV: the one place that knows what must be
 * escaped there. A writer gives what room it has, as often as it takes:
 *
 *	const char *at = text;
 *	while (at < text + n) {
 *		make_room(QUOTE_ROOM);
 *		to = quote_json(to, end, &at, text + n);
 *	}
 *
 * The quotes around the text are the writer's.
 */
#ifndef WEFT_BASE_QUOTE_H
#define WEFT_BASE_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#define QUOTE_ROOM 64 /* bytes, at least, from `to` to `end` */

/*
 * Writes the inside of a quoted text from `to` on, until the text ends or there
 * may be no room for the next character; *text moves. The end of what was
 * written.
 */
typedef char *quote_fn(
	char *to, const char *end, const char **text, const char *stop);

/* Bytes that are no UTF-8 become U+FFFD; a NUL is a character. */
quote_fn quote_json;

/* RFC 4180, of any bytes. */
quote_fn quote_csv;

/* True if a field of CSV needs quotes around it, and what is inside written so;
 * false: it stands as it is. */
bool quote_csv_needs(const char *text, size_t n);

#endif
