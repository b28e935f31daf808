/* SPDX-License-Identifier: MIT */
#include "base/quote.h"

#include <string.h>

#include "base/utf8.h"

#define CHARACTER 6 /* bytes of one escaped character: \u001f */

static size_t
least(ptrdiff_t a, ptrdiff_t b)
{
	return (size_t)(a < b ? a : b);
}

/* Returns how many bytes need no escape: ASCII without quotes. */
static size_t
plain_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' &&
		s[i] != '\\')
		i++;
	return i;
}

static char *
put(char *to, const char *text)
{
	while (*text != '\0')
		*to++ = *text++;
	return to;
}

static char *
put_control(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	to = put(to, "\\u00");
	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

/* Writes one character that needs an escape; moves *text past it. */
static char *
put_special(char *to, const char **text, const char *stop)
{
	const char *s = *text;
	size_t length = utf8_length(s, (size_t)(stop - s));

	*text += length == 0 ? 1 : length;
	if (length == 0)
		return put(to, UTF8_REPLACEMENT);
	if ((unsigned char)*s < ' ' || *s == 0x7f)
		return put_control(to, (unsigned char)*s);
	if (length == 1)
		*to++ = '\\';
	memcpy(to, s, length);
	return to + length;
}

char *
quote_json(char *to, const char *end, const char **text, const char *stop)
{
	while (*text < stop && end - to >= CHARACTER) {
		size_t n = plain_length(*text, least(stop - *text, end - to));

		memcpy(to, *text, n);
		to += n;
		*text += n;
		if (*text < stop && end - to >= CHARACTER)
			to = put_special(to, text, stop);
	}
	return to;
}

bool
quote_csv_needs(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\n' ||
			text[i] == '\r')
			return true;
	return false;
}

char *
quote_csv(char *to, const char *end, const char **text, const char *stop)
{
	while (*text < stop && end - to >= 2) {
		size_t n = least(stop - *text, end - to - 1);
		const char *quote = memchr(*text, '"', n);

		if (quote != NULL)
			n = (size_t)(quote - *text) + 1;
		memcpy(to, *text, n);
		to += n;
		*text += n;
		if (quote != NULL)
			*to++ = '"';
	}
	return to;
}
