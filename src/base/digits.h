/* SPDX-License-Identifier: MIT */
/*
 * digits.h - converts integers to decimal text, for the inner loops of the text
 * writers. digits_u64() and digits_i64() write at `to`, which needs DIGITS_MAX
 * bytes of room, and return the end; no NUL is added.
 */
#ifndef WEFT_BASE_DIGITS_H
#define WEFT_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

/* bytes: 20 digits, or a sign and 19 digits, rounded up */
#define DIGITS_MAX 24

/* Both digits of each number below 100: "000102...99" */
extern const char digits_pairs[201];

/*
 * Returns the four digits of a value below 10^4, with leading zeros, as the
 * bytes of a word: a text that was stored with one store can be loaded again
 * with one load.
 */
static inline uint32_t
digits_four(uint32_t value)
{
	uint32_t high = value / 100;
	uint16_t pair[2];

	memcpy(&pair[0], digits_pairs + 2 * high, 2);
	memcpy(&pair[1], digits_pairs + 2 * (value - 100 * high), 2);
	return (uint32_t)pair[0] | (uint32_t)pair[1] << 16;
}

/* Returns the value of a hexadecimal digit, or -1 for any other character. */
int digits_hex(char c);

char *digits_u64(char *to, uint64_t value);
char *digits_i64(char *to, int64_t value);

#endif
