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

/* Returns the length of the path at text[i] that tells where a file is, or 0. A
 * path may begin only at a word's `edge`. */
size_t scrub_path(const char *text, size_t n, size_t i, size_t edge);

/* Returns the length of the last part of a path if it may stay, else 0. */
size_t scrub_path_kept(const char *path, size_t n);

#endif
