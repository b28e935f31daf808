/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - checks and repairs UTF-8.
 *
 * Texts of a trace or a simulator may be any bytes. Writers of formats that
 * require UTF-8 (JSON, databases) replace each byte that is not UTF-8 by
 * U+FFFD. NUL is a character like any other.
 */
#ifndef WEFT_BASE_UTF8_H
#define WEFT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Returns the length of the character at s, of which n >= 1 bytes may be read;
 * 0 if it is not UTF-8. Stops reading at the first byte that cannot belong to
 * the character. */
size_t utf8_length(const char *s, size_t n);

/* Returns true if all n bytes are UTF-8. */
bool utf8_is_valid(const char *s, size_t n);

/* Copies n bytes and replaces those that are not UTF-8. Returns the number of
 * bytes written, at most 3 * n. */
size_t utf8_mend(char *to, const char *s, size_t n);

#endif
