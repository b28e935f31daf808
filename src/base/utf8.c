/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* Returns the length of the character that begins with this byte, 0 if none
 * does; and the range of its second byte, which excludes overlong forms,
 * surrogates and code points above U+10FFFF. */
static size_t
begin(unsigned char first, unsigned char *least, unsigned char *most)
{
	*least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	*most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t
utf8_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char least, most;
	size_t length = begin(*s, &least, &most);

	if (length > n)
		return 0;
	if (length > 1 && (s[1] < least || s[1] > most))
		return 0;
	for (size_t i = 2; i < length; i++)
		if (s[i] >> 6 != 2)
			return 0;
	return length;
}

/* Returns how many leading bytes are ASCII; checks eight at a time. */
static size_t
ascii(const char *s, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t word;

		memcpy(&word, s + i, 8);
		if ((word & UINT64_C(0x8080808080808080)) != 0)
			break;
	}
	while (i < n && (unsigned char)s[i] < 0x80)
		i++;
	return i;
}

bool
utf8_is_valid(const char *s, size_t n)
{
	size_t i = ascii(s, n);

	while (i < n) {
		size_t length = utf8_length(s + i, n - i);

		if (length == 0)
			return false;
		i += length;
	}
	return true;
}

size_t
utf8_mend(char *to, const char *s, size_t n)
{
	char *at = to;

	for (size_t i = 0; i < n;) {
		size_t length = utf8_length(s + i, n - i);

		if (length == 0) {
			for (const char *r = UTF8_REPLACEMENT; *r != '\0'; r++)
				*at++ = *r;
			i++;
		} else {
			memcpy(at, s + i, length);
			at += length;
			i += length;
		}
	}
	return (size_t)(at - to);
}
