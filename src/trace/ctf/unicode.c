/* SPDX-License-Identifier: MIT */
#include "trace/ctf/unicode.h"

#include "base/arena.h"
#include "trace/ctf/type.h"

#define REPLACEMENT 0xfffd

static uint32_t
unit_at(unsigned encoding, const uint8_t *at)
{
	switch (encoding) {
	case CTF_UTF16LE:
		return at[0] | (uint32_t)at[1] << 8;
	case CTF_UTF16BE:
		return at[1] | (uint32_t)at[0] << 8;
	case CTF_UTF32LE:
		return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
			(uint32_t)at[3] << 24;
	case CTF_UTF32BE:
		return at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 |
			(uint32_t)at[0] << 24;
	default:
		return at[0];
	}
}

size_t
unicode_unit(unsigned encoding)
{
	switch (encoding) {
	case CTF_UTF16LE:
	case CTF_UTF16BE:
		return 2;
	case CTF_UTF32LE:
	case CTF_UTF32BE:
		return 4;
	default:
		return 1;
	}
}

bool
unicode_find_nul(unsigned encoding, const uint8_t *at, size_t size, size_t *n)
{
	size_t unit = unicode_unit(encoding);

	for (*n = 0; *n + unit <= size; *n += unit)
		if (unit_at(encoding, at + *n) == 0)
			return true;
	return false;
}

/* Appends a character of up to 4 bytes; returns their end. */
static char *
put(char *to, uint32_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = REPLACEMENT;
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

const char *
unicode_text(struct arena *a, unsigned encoding, const uint8_t *at, size_t n)
{
	size_t unit = unicode_unit(encoding);
	/* A unit of 2 bytes takes up to 3 in UTF-8, and one of 4 up to 4. */
	char *text = ARENA_ARRAY(a, char, n / unit * (unit == 2 ? 3 : 4) + 1);
	char *to = text;

	for (size_t i = 0; i + unit <= n; i += unit) {
		uint32_t c = unit_at(encoding, at + i), low;

		if (unit == 2 && c >= 0xd800 && c < 0xdc00 && i + 4 <= n) {
			low = unit_at(encoding, at + i + 2);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) +
					(low - 0xdc00);
				i += 2;
			}
		}
		to = put(to, c);
	}
	*to = '\0';
	return text;
}
