/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - which bytes are UTF-8.
 *
 * Texts of a trace or a simulator may be any bytes; who hands them on to what
 * takes UTF-8 alone (JSON, databases) puts U+FFFD in the place of each byte
 * that is none. A NUL is a character as any other.
 */
#ifndef WEFT_BASE_UTF8_H
#define WEFT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The bytes of the character at s, of which n >= 1 may be read; 0 if it is no
 * UTF-8. Stops reading at the first byte that does not fit. */
size_t utf8_length(const char *s, size_t n);

/* True if all n bytes are UTF-8. */
bool utf8_is_valid(const char *s, size_t n);

/* Copies n bytes, those that are no UTF-8 replaced; the number of bytes
 * written, at most 3 * n. */
size_t utf8_mend(char *to, const char *s, size_t n);

#endif
