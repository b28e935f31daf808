/* SPDX-License-Identifier: MIT */
/*
 * Digits are produced in pairs from the front: the value becomes a fixed-point
 * fraction, and each multiplication by 100 moves the next pair to the left of
 * the point. This needs no division by 10, and the length need not be known
 * first. The reciprocals are rounded up; the error, times the powers of 100
 * that follow, stays below 1 for every value in range, so the pairs are exact.
 */
#include "base/digits.h"

#include <stddef.h>
#include <string.h>

#define E8 UINT64_C(100000000)
#define E16 (E8 * E8)

/* clang-format off */
const char digits_pairs[201] =
	"00010203040506070809" "10111213141516171819"
	"20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";
/* clang-format on */

/* Writes one or two digits. For a single digit, the byte after it is
 * overwritten, too. */
static inline char *
put_first(char *to, uint64_t pair)
{
	unsigned single = pair < 10;

	memcpy(to, digits_pairs + 2 * pair + single, 2);
	return to + 2 - single;
}

/* Writes n pairs of digits of a fraction with `point` bits. */
static inline char *
put_pairs(char *to, uint64_t fraction, unsigned point, size_t n)
{
	uint64_t mask = (UINT64_C(1) << point) - 1;

	for (size_t i = 0; i < n; i++) {
		fraction = (fraction & mask) * 100;
		memcpy(to + 2 * i, digits_pairs + 2 * (fraction >> point), 2);
	}
	return to + 2 * n;
}

/* Returns value * 2^48 / 10^6: two digits before the point, six after it. */
static inline uint64_t
fraction_of_8(uint64_t value)
{
	return value * 281474977;
}

/* Writes a value below 10^8 without leading zeros. */
static inline char *
put_lead(char *to, uint64_t value)
{
	if (value < 100)
		return put_first(to, value);
	if (value < 10000) {
		uint64_t f = value * 42949673; /* 2^32 / 100 */

		return put_pairs(put_first(to, f >> 32), f, 32, 1);
	}
	if (value < 1000000) {
		uint64_t f = value * 429497; /* 2^32 / 10^4 */

		return put_pairs(put_first(to, f >> 32), f, 32, 2);
	}
	uint64_t f = fraction_of_8(value);

	return put_pairs(put_first(to, f >> 48), f, 48, 3);
}

/* Writes a value below 10^8 as eight digits. */
static inline char *
put_8(char *to, uint64_t value)
{
	uint64_t f = fraction_of_8(value);

	memcpy(to, digits_pairs + 2 * (f >> 48), 2);
	return put_pairs(to + 2, f, 48, 3);
}

char *
digits_u64(char *to, uint64_t value)
{
	if (value < E8)
		return put_lead(to, value);
	if (value < E16)
		return put_8(put_lead(to, value / E8), value % E8);
	to = put_lead(to, value / E16);
	value %= E16;
	return put_8(put_8(to, value / E8), value % E8);
}

char *
digits_i64(char *to, int64_t value)
{
	uint64_t size = (uint64_t)value;

	if (value < 0) {
		*to++ = '-';
		size = -size;
	}
	return digits_u64(to, size);
}

int
digits_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
