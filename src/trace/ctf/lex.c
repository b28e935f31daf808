/* SPDX-License-Identifier: MIT */
#include "trace/ctf/lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define ROW_MAX 120 /* characters of a line that are shown */

int
ctf_lex_line(const struct ctf_lex *lex, const char *at)
{
	int line = 1;

	for (const char *c = lex->text; c < at; c++)
		line += *c == '\n';
	return line;
}

static const char *
row_of(const struct ctf_lex *lex, const char *at)
{
	while (at > lex->text && at[-1] != '\n')
		at--;
	return at;
}

/* Appends the line to the error, and a mark below the position. */
static void
show_row(const struct ctf_lex *lex, const char *at, struct err *err)
{
	const char *row = row_of(lex, at);
	size_t used = strlen(err->text), room = sizeof err->text - used;
	size_t column = (size_t)(at - row), n = 0;
	char text[ROW_MAX + 1];

	if (column >= ROW_MAX) {
		row = at - ROW_MAX / 2;
		column = ROW_MAX / 2;
	}
	while (n < ROW_MAX && row + n < lex->end && row[n] != '\n')
		n++;
	memcpy(text, row, n);
	text[n] = '\0';
	text_disarm(text);
	for (size_t i = 0; i < n; i++)
		if (row[i] == '\t')
			text[i] = ' ';
	snprintf(err->text + used, room, "\n  %s\n  %*s^", text, (int)column,
		"");
}

bool
ctf_lex_fail(struct ctf_lex *lex, const char *at, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	lex->at = lex->end;
	lex->token = (struct ctf_token){ .at = lex->end };
	if (lex->err->kind != ERR_NONE)
		return false;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(lex->err, ERR_INPUT, "%.160s:%d:%d: %s", lex->file,
		ctf_lex_line(lex, at), (int)(at - row_of(lex, at)) + 1,
		text_disarm(text));
	show_row(lex, at, lex->err);
	return false;
}

static bool
skip_comment(struct ctf_lex *lex)
{
	const char *begin = lex->at;

	if (lex->at[1] == '/') {
		while (lex->at < lex->end && *lex->at != '\n')
			lex->at++;
		return true;
	}
	for (lex->at += 2; lex->at < lex->end; lex->at++)
		if (lex->at[0] == '*' && lex->at[1] == '/') {
			lex->at += 2;
			return true;
		}
	return ctf_lex_fail(lex, begin, "a comment that does not end");
}

/* Skips blanks and comments. Returns false with an error. */
static bool
skip_blanks(struct ctf_lex *lex)
{
	while (lex->at < lex->end) {
		char c = *lex->at;

		if (c == '/' && (lex->at[1] == '/' || lex->at[1] == '*')) {
			if (!skip_comment(lex))
				return false;
		} else if (isspace((unsigned char)c)) {
			lex->at++;
		} else {
			break;
		}
	}
	return true;
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Reads the digits of a number. */
static bool
read_digits(struct ctf_lex *lex, const char *begin, unsigned base)
{
	uint64_t value = 0;

	for (; digit_of(*lex->at) < (int)base; lex->at++)
		if (__builtin_mul_overflow(value, base, &value) ||
			__builtin_add_overflow(
				value, (unsigned)digit_of(*lex->at), &value))
			return ctf_lex_fail(
				lex, begin, "a number of more than 64 bits");
	lex->token.value = value;
	return true;
}

static bool
read_int(struct ctf_lex *lex)
{
	const char *begin = lex->at;
	unsigned base = *begin == '0' ? 8 : 10;

	if (base == 8 && tolower((unsigned char)begin[1]) == 'x') {
		base = 16;
		lex->at += 2;
		if (digit_of(*lex->at) >= 16)
			return ctf_lex_fail(
				lex, begin, "a number without digits");
	}
	if (!read_digits(lex, begin, base))
		return false;
	lex->at += strspn(lex->at, "uUlL");
	if (isalnum((unsigned char)*lex->at))
		return ctf_lex_fail(lex, begin, "this is not a number");
	lex->token.kind = CTF_TOKEN_INT;
	return true;
}

/* Returns the character that follows a backslash; -1 if it is not a valid
 * escape. */
static int
read_escape(struct ctf_lex *lex)
{
	static const char from[] = "abefnrtv\\'\"?";
	static const char to[] = "\a\b\033\f\n\r\t\v\\'\"?";
	const char *known = strchr(from, *lex->at);
	int value = 0, digits = 0;

	if (known != NULL && *lex->at != '\0') {
		lex->at++;
		return to[known - from];
	}
	if (*lex->at == 'x') {
		lex->at++;
		for (; digits < 2 && digit_of(*lex->at) < 16; digits++)
			value = value * 16 + digit_of(*lex->at++);
	} else {
		for (; digits < 3 && digit_of(*lex->at) < 8; digits++)
			value = value * 8 + digit_of(*lex->at++);
	}
	return digits == 0 ? -1 : value & 0xff;
}

/* Reads a string in double quotes or, in single quotes, a character. */
static bool
read_quoted(struct ctf_lex *lex, char quote)
{
	const char *begin = lex->at++;
	size_t room = 0, n = 0;
	char *text;

	while (lex->at + room < lex->end && lex->at[room] != quote &&
		lex->at[room] != '\n')
		room += lex->at[room] == '\\' ? 2 : 1;
	if (lex->at + room >= lex->end || lex->at[room] != quote)
		return ctf_lex_fail(lex, begin, "the closing quote is missing");
	text = arena_alloc(lex->arena, room + 1);
	while (*lex->at != quote) {
		int c = (unsigned char)*lex->at++;

		if (c == '\\')
			c = read_escape(lex);
		if (c < 0)
			return ctf_lex_fail(lex, lex->at - 1,
				"no such character: give \\n, \\\", \\x20, "
				"\\040");
		text[n++] = (char)c;
	}
	lex->at++;
	lex->token.kind = quote == '"' ? CTF_TOKEN_STRING : CTF_TOKEN_INT;
	lex->token.text = text;
	lex->token.value = (unsigned char)text[0];
	if (quote == '\'' && n != 1)
		return ctf_lex_fail(lex, begin, "this is not one character");
	return true;
}

static void
read_name(struct ctf_lex *lex)
{
	const char *begin = lex->at;

	while (isalnum((unsigned char)*lex->at) || *lex->at == '_')
		lex->at++;
	lex->token.kind = CTF_TOKEN_NAME;
	lex->token.text =
		arena_strndup(lex->arena, begin, (size_t)(lex->at - begin));
}

static bool
read_punct(struct ctf_lex *lex)
{
	static const struct {
		const char *text;
		int punct;
	} marks[] = { { ":=", CTF_BECOMES }, { "...", CTF_ELLIPSIS },
		{ "->", CTF_ARROW } };

	lex->token.kind = CTF_TOKEN_PUNCT;
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		size_t n = strlen(marks[i].text);

		if (strncmp(lex->at, marks[i].text, n) == 0) {
			lex->token.punct = marks[i].punct;
			lex->at += n;
			return true;
		}
	}
	if (*lex->at == '\0' || strchr("{}()[]<>;:,=.*+-", *lex->at) == NULL)
		return ctf_lex_fail(
			lex, lex->at, "this character is not allowed here");
	lex->token.punct = (unsigned char)*lex->at++;
	return true;
}

bool
ctf_lex_next(struct ctf_lex *lex)
{
	if (!skip_blanks(lex))
		return false;
	lex->token = (struct ctf_token){ .at = lex->at };
	if (lex->at >= lex->end)
		return false;
	if (isdigit((unsigned char)*lex->at))
		return read_int(lex);
	if (*lex->at == '"' || *lex->at == '\'')
		return read_quoted(lex, *lex->at);
	if (isalpha((unsigned char)*lex->at) || *lex->at == '_') {
		read_name(lex);
		return true;
	}
	return read_punct(lex);
}

void
ctf_lex_init(struct ctf_lex *lex, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err)
{
	*lex = (struct ctf_lex){ .arena = a,
		.file = file,
		.text = text,
		.at = text,
		.end = text + size,
		.err = err };
	ctf_lex_next(lex);
}

bool
ctf_lex_is(const struct ctf_lex *lex, int punct)
{
	return lex->token.kind == CTF_TOKEN_PUNCT && lex->token.punct == punct;
}

bool
ctf_lex_is_name(const struct ctf_lex *lex, const char *name)
{
	return lex->token.kind == CTF_TOKEN_NAME &&
		strcmp(lex->token.text, name) == 0;
}

bool
ctf_lex_take(struct ctf_lex *lex, int punct)
{
	bool is = ctf_lex_is(lex, punct);

	if (is)
		ctf_lex_next(lex);
	return is;
}

bool
ctf_lex_expect(struct ctf_lex *lex, int punct)
{
	if (ctf_lex_take(lex, punct))
		return true;
	if (punct == CTF_BECOMES)
		return ctf_lex_fail(lex, lex->token.at, "\":=\" is expected");
	return ctf_lex_fail(lex, lex->token.at, "'%c' is expected", punct);
}

const char *
ctf_lex_expect_name(struct ctf_lex *lex, const char *what)
{
	const char *name = lex->token.text;

	if (lex->token.kind != CTF_TOKEN_NAME) {
		ctf_lex_fail(lex, lex->token.at, "%s is expected", what);
		return NULL;
	}
	ctf_lex_next(lex);
	return name;
}

bool
ctf_lex_expect_int(struct ctf_lex *lex, int64_t *value)
{
	bool minus = ctf_lex_take(lex, '-');

	if (!minus)
		ctf_lex_take(lex, '+');
	if (lex->token.kind != CTF_TOKEN_INT)
		return ctf_lex_fail(lex, lex->token.at, "a number is expected");
	*value = (int64_t)(minus ? 0 - lex->token.value : lex->token.value);
	ctf_lex_next(lex);
	return lex->err->kind == ERR_NONE;
}
