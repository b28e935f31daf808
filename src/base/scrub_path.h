/* SPDX-License-Identifier: MIT */
/* scrub_path.h - finds paths in texts, for scrub.c. */
#ifndef WEFT_BASE_SCRUB_PATH_H
#define WEFT_BASE_SCRUB_PATH_H

#include <stdbool.h>
#include <stddef.h>

static inline bool
scrub_is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

/* Where a text comes from. */
enum scrub_source {
	SCRUB_BARE,   /* a "\\" is one byte */
	SCRUB_ESCAPED /* between quotes of JSON or TSDL, where it is two */
};

/* Returns the length of the path at text[i] that tells where a file is, or 0:
 * "/a", "../a", "~name/a", "C:\\a", "\\\\host\\a". A path may begin only at a
 * word's `edge`. */
size_t scrub_path(const char *text, size_t n, size_t i, size_t edge,
	enum scrub_source source);

/* Returns true if the path has slashes, false if it has backslashes. */
bool scrub_path_has_slashes(const char *path);

/* Returns the length of the last part of a path if it may stay, else 0. */
size_t scrub_path_kept(const char *path, size_t n);

/* Returns true for the extension of a file that traces and programs have, such
 * as "c" or "prv". */
bool scrub_is_extension(const char *word, size_t n);

#endif
