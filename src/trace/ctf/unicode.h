/* SPDX-License-Identifier: MIT */
/*
 * unicode.h - texts of CTF 2 in UTF-16 and UTF-32, as UTF-8.
 */
#ifndef WEFT_TRACE_CTF_UNICODE_H
#define WEFT_TRACE_CTF_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Each takes an enum ctf_encoding (type.h). */

/* Returns the bytes of a code unit, which are those of a NUL: 1, 2 or 4. */
size_t unicode_unit(unsigned encoding);

/* Stores the number of bytes before the first NUL, or else the number of bytes
 * in whole units. Returns true if there is a NUL. */
bool unicode_find_nul(
	unsigned encoding, const uint8_t *at, size_t size, size_t *n);

/* Returns n bytes of text as UTF-8 with a NUL behind it, in the arena. What is
 * no character becomes U+FFFD. */
const char *unicode_text(
	struct arena *a, unsigned encoding, const uint8_t *at, size_t n);

#endif
