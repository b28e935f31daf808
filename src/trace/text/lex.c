/* SPDX-License-Identifier: MIT */
#include "trace/text/lex.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/err.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Printable ASCII, or a byte of UTF-8. */
static bool
is_word(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f;
}

static bool
is_identifier(char c)
{
	return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z');
}

/* Returns the next byte or, at the end of the line, a newline, which no word
 * contains. */
static char
peek(const struct lex *l)
{
	return l->at < l->after ? *l->at : '\n';
}

static void
skip_blanks(struct lex *l)
{
	while (is_blank(peek(l)))
		l->at++;
}

static void
start_line(struct lex *l, const char *at)
{
	const char *newline = memchr(at, '\n', (size_t)(l->end - at));

	l->line = l->at = at;
	l->after = newline != NULL ? newline : l->end;
	skip_blanks(l);
}

void
lex_init(struct lex *l, const char *file, const char *text, size_t size,
	struct err *err)
{
	*l = (struct lex){
		.file = file, .text = text, .end = text + size, .err = err
	};
}

bool
lex_line(struct lex *l)
{
	const char *next = l->number == 0 ? l->text : l->after + 1;

	if (next >= l->end)
		return false;
	l->number++;
	start_line(l, next);
	return true;
}

void
lex_seek(struct lex *l, size_t at, int64_t number)
{
	l->number = number;
	start_line(l, l->text + at);
}

bool
lex_blank(const struct lex *l)
{
	return l->at == l->after;
}

bool
lex_end(const struct lex *l)
{
	return l->at == l->after || *l->at == '#';
}

bool
lex_expect_end(struct lex *l, const char *what)
{
	return lex_end(l) || lex_fail(l, "expected %s", what);
}

bool
lex_is(const struct lex *l, char c)
{
	return peek(l) == c;
}

bool
lex_is_number(const struct lex *l)
{
	char c = peek(l);

	return is_digit(c) ||
		(c == '-' && l->at + 1 < l->after && is_digit(l->at[1]));
}

bool
lex_keyword(struct lex *l, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(l->after - l->at) < n || memcmp(l->at, word, n) != 0)
		return false;
	if (l->at + n < l->after && is_word(l->at[n]))
		return false;
	l->at += n;
	skip_blanks(l);
	return true;
}

bool
lex_byte(struct lex *l, char c)
{
	if (peek(l) != c)
		return false;
	l->at++;
	return true;
}

const char *
lex_assign(struct lex *l, struct arena *a)
{
	const char *start = l->at, *at = l->at;

	while (at < l->after && is_identifier(*at))
		at++;
	if (at == start || is_digit(*start) || at == l->after || *at != '=')
		return NULL;
	l->at = at + 1;
	return arena_strndup(a, start, (size_t)(at - start));
}

bool
lex_word(struct lex *l, const char *what, struct arena *a, const char **out)
{
	const char *start = l->at;

	if (lex_end(l) || !is_word(*start))
		return lex_fail(l, "expected %s", what);
	while (is_word(peek(l)))
		l->at++;
	if (l->at - start > LEX_WORD) {
		l->at = start;
		return lex_fail(l, "expected at most %d bytes", LEX_WORD);
	}
	*out = arena_strndup(a, start, (size_t)(l->at - start));
	skip_blanks(l);
	return true;
}

/* Returns the byte that a backslash and c stand for, or -1. */
static int
unescape(char c)
{
	switch (c) {
	case '"':
	case '\\':
		return c;
	case 'n':
		return '\n';
	case '0':
		return '\0';
	default:
		return -1;
	}
}

/* Copies the bytes up to the closing quote. */
static bool
string_bytes(struct lex *l, char *to)
{
	while (!lex_byte(l, '"')) {
		int c = (unsigned char)peek(l);

		if (l->at == l->after)
			return lex_fail(l, "expected the closing quote");
		l->at++;
		if (c == '\\') {
			c = unescape(peek(l));
			if (c < 0)
				return lex_fail(l,
					"expected one of \" \\ n 0 after \\");
			l->at++;
		}
		*to++ = (char)c;
	}
	return true;
}

bool
lex_string(struct lex *l, const char *what, struct arena *a, const char **out)
{
	char *to;

	if (!lex_byte(l, '"'))
		return lex_fail(l, "expected %s", what);
	to = arena_alloc(a, (size_t)(l->after - l->at) + 1);
	*out = to;
	if (!string_bytes(l, to))
		return false;
	skip_blanks(l);
	return true;
}

/* Parses a number. Base 16 wraps, so that a u64 can be written; base 10 must
 * fit. */
static bool
parse_int(const char *s, char **stop, int64_t *out)
{
	errno = 0;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		*out = (int64_t)strtoull(s, stop, 16);
	else
		*out = strtoll(s, stop, 10);
	return errno == 0;
}

bool
lex_int_part(struct lex *l, const char *what, int64_t *out)
{
	char word[32];
	size_t n = 0;
	char *stop;

	if (!lex_is_number(l))
		return lex_fail(l, "expected %s", what);
	while (n < sizeof word - 1 && l->at + n < l->after &&
		(is_identifier(l->at[n]) || l->at[n] == '-')) {
		word[n] = l->at[n];
		n++;
	}
	word[n] = '\0';
	if (!parse_int(word, &stop, out))
		return lex_fail(l, "expected %s of 64 bits", what);
	if (*stop != '\0') {
		l->at += stop - word;
		return lex_fail(l, "expected the end of %s", what);
	}
	l->at += n;
	return true;
}

bool
lex_int(struct lex *l, const char *what, int64_t *out)
{
	if (!lex_int_part(l, what, out))
		return false;
	if (is_word(peek(l)))
		return lex_fail(l, "expected a blank after %s", what);
	skip_blanks(l);
	return true;
}

bool
lex_raw(struct lex *l, struct arena *a, const uint8_t **out, uint32_t *n)
{
	uint8_t *to = arena_alloc(a, (size_t)(l->after - l->at) / 3 + 1);

	*out = to;
	*n = 0;
	while (lex_byte(l, ':')) {
		int high = digits_hex(peek(l));
		int low = high >= 0 && l->at + 1 < l->after
			? digits_hex(l->at[1])
			: -1;

		if (low < 0)
			return lex_fail(l, "expected two hex digits");
		to[(*n)++] = (uint8_t)(high << 4 | low);
		l->at += 2;
	}
	if (is_word(peek(l)))
		return lex_fail(l, "expected : or a blank after the byte");
	skip_blanks(l);
	return true;
}

bool
lex_fail(struct lex *l, const char *fmt, ...)
{
	char what[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	return err_set(l->err, ERR_INPUT,
		"%s: line %" PRId64 ": column %td: %s", l->file, l->number,
		l->at - l->line + 1, what);
}
