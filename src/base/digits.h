/* SPDX-License-Identifier: MIT */
/*
 * digits.h - integers to decimal text, by hand: the inner loop of every
 * text writer. Each function writes at `to` and returns the end; nothing is
 * terminated. Room needed: DIGITS_MAX bytes.
 */
#ifndef WEFT_BASE_DIGITS_H
#define WEFT_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 24 /* 20 digits or a sign and 19, rounded up */

/* "000102...99" */
extern const char digits_pairs[201];

/*
 * The four digits of a value below 10^4, leading zeros kept, as the bytes of a
 * word: what is stored at once can be loaded again at once.
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

char *digits_u64(char *to, uint64_t value);
char *digits_i64(char *to, int64_t value);

#endif
