/* SPDX-License-Identifier: MIT */
#include "base/columns.h"

#include <stdint.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/* Unicode 15: marks that are drawn over the character before them, and
 * characters without a shape. */
static const struct range none[] = {
	{ 0x300, 0x36f },
	{ 0x483, 0x489 },
	{ 0x591, 0x5bd },
	{ 0x610, 0x61a },
	{ 0x64b, 0x65f },
	{ 0x6d6, 0x6dc },
	{ 0x93c, 0x93c },
	{ 0x94d, 0x94d },
	{ 0xe31, 0xe31 },
	{ 0xe34, 0xe3a },
	{ 0xe47, 0xe4e },
	{ 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff },
	{ 0x200b, 0x200f },
	{ 0x202a, 0x202e },
	{ 0x2060, 0x2064 },
	{ 0x20d0, 0x20f0 },
	{ 0x302a, 0x302d },
	{ 0x3099, 0x309a },
	{ 0xfe00, 0xfe0f },
	{ 0xfe20, 0xfe2f },
	{ 0xfeff, 0xfeff },
	{ 0x1f3fb, 0x1f3ff },
	{ 0xe0100, 0xe01ef },
};

/* Unicode 15: East Asian Width "wide" and "full width". */
static const struct range wide[] = {
	{ 0x1100, 0x115f },
	{ 0x231a, 0x231b },
	{ 0x23e9, 0x23ec },
	{ 0x2614, 0x2615 },
	{ 0x26a1, 0x26a1 },
	{ 0x2705, 0x2705 },
	{ 0x274c, 0x274c },
	{ 0x2e80, 0x303e },
	{ 0x3041, 0x3247 },
	{ 0x3250, 0x4dbf },
	{ 0x4e00, 0xa4c6 },
	{ 0xa960, 0xa97c },
	{ 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },
	{ 0xfe10, 0xfe19 },
	{ 0xfe30, 0xfe6b },
	{ 0xff01, 0xff60 },
	{ 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x18cd5 },
	{ 0x1b000, 0x1b2fb },
	{ 0x1f300, 0x1f320 },
	{ 0x1f32d, 0x1f335 },
	{ 0x1f337, 0x1f37c },
	{ 0x1f37e, 0x1f393 },
	{ 0x1f3a0, 0x1f3ca },
	{ 0x1f3e0, 0x1f3f0 },
	{ 0x1f400, 0x1f43e },
	{ 0x1f442, 0x1f4fc },
	{ 0x1f4ff, 0x1f53d },
	{ 0x1f550, 0x1f567 },
	{ 0x1f5fb, 0x1f64f },
	{ 0x1f680, 0x1f6c5 },
	{ 0x1f6d5, 0x1f6d7 },
	{ 0x1f7e0, 0x1f7eb },
	{ 0x1f90c, 0x1f9ff },
	{ 0x1fa70, 0x1faff },
	{ 0x20000, 0x3fffd },
};

static int
is_in(const struct range *r, size_t n, uint32_t c)
{
	size_t from = 0;

	while (n > 0) {
		size_t half = n / 2;

		if (c > r[from + half].last) {
			from += half + 1;
			n -= half + 1;
		} else if (c < r[from + half].first) {
			n = half;
		} else {
			return 1;
		}
	}
	return 0;
}

#define IS_IN(list, c) is_in(list, sizeof(list) / sizeof(list)[0], c)

/* Reads at most `room` bytes; a NUL ends a character, too. */
static int
next(const char *text, size_t room, int *columns)
{
	const unsigned char *s = (const unsigned char *)text;
	int n = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 1;
	uint32_t c = n == 1 ? *s : *s & (0x7fu >> n);

	*columns = 1;
	for (int i = 1; i < n; i++) {
		if ((size_t)i >= room || s[i] >> 6 != 2)
			return 1;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (n > 1 && IS_IN(none, c))
		*columns = 0;
	else if (n > 1 && IS_IN(wide, c))
		*columns = 2;
	return n;
}

int
columns_next(const char *text, int *columns)
{
	return next(text, 4, columns);
}

int
columns_of_bytes(const char *text, size_t n)
{
	const char *end = text + n;
	int all = 0, columns;

	while (text < end) {
		text += next(text, (size_t)(end - text), &columns);
		all += columns;
	}
	return all;
}

int
columns_of(const char *text)
{
	return columns_of_bytes(text, strlen(text));
}
