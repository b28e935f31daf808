/* SPDX-License-Identifier: MIT */
#include "store/jsonline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/textfile.h"

static void
write_text(struct textfile *f, const char *s, size_t n)
{
	textfile_quote(f, quote_json, s, n);
}

void
jsonline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row)
{
	textfile_puts(f, "{\"table\":\"");
	textfile_puts(f, t->name);
	textfile_put(f, "\"", 1);
	for (uint32_t i = 0; i < t->n; i++) {
		if (row[i].null)
			continue;
		textfile_put(f, ",\"", 2);
		textfile_puts(f, t->column[i].name);
		textfile_put(f, "\":", 2);
		textfile_value(f, t->column[i].type, &row[i], write_text);
	}
	textfile_put(f, "}\n", 2);
}

/* The rest of the line. Unexpected input sets bad. */
struct cursor {
	char *at, *end;
	bool bad;
};

static void
skip_space(struct cursor *c)
{
	while (c->at < c->end &&
		(*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
		c->at++;
}

static bool
take(struct cursor *c, char wanted)
{
	skip_space(c);
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	return true;
}

static void
expect(struct cursor *c, char wanted)
{
	if (!take(c, wanted))
		c->bad = true;
}

static uint32_t
take_hex(struct cursor *c)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++, c->at++) {
		const char *digits = "0123456789abcdef", *digit;

		if (c->at == c->end) {
			c->bad = true;
			return 0;
		}
		digit = *c->at == '\0' ? NULL : strchr(digits, *c->at | 0x20);
		if (digit == NULL || *digit == '\0') {
			c->bad = true;
			return 0;
		}
		value = value << 4 | (uint32_t)(digit - digits);
	}
	return value;
}

static char *
put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
	}
	*to++ = (char)(0x80 | (c & 63));
	return to;
}

/* Decodes \uXXXX, or two of these for characters above U+FFFF. */
static char *
take_unicode(struct cursor *c, char *to)
{
	uint32_t code = take_hex(c), low;

	if (code >> 11 != 0xd800 >> 11)
		return put_utf8(to, code);
	if (code >= 0xdc00 || !take(c, '\\') || !take(c, 'u')) {
		c->bad = true;
		return to;
	}
	low = take_hex(c);
	if (low >> 10 != 0xdc00 >> 10)
		c->bad = true;
	return put_utf8(to, 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff));
}

static char *
take_escape(struct cursor *c, char *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (c->at == c->end || *c->at == '\0') {
		c->bad = true;
		return to;
	}
	if (*c->at == 'u') {
		c->at++;
		return take_unicode(c, to);
	}
	found = strchr(from, *c->at++);
	if (found == NULL) {
		c->bad = true;
		return to;
	}
	*to++ = into[found - from];
	return to;
}

/* Unescapes a text in place; a text never becomes longer. */
static struct store_value
take_text(struct cursor *c)
{
	char *begin, *to;

	expect(c, '"');
	begin = to = c->at;
	while (!c->bad) {
		if (c->at == c->end) {
			c->bad = true;
		} else if (*c->at == '"') {
			c->at++;
			break;
		} else if (*c->at == '\\') {
			c->at++;
			to = take_escape(c, to);
		} else {
			*to++ = *c->at++;
		}
	}
	return store_text(begin, (uint32_t)(to - begin));
}

/* Copies the word of a number, true, false or null into `word`, with a NUL. */
static void
take_word(struct cursor *c, char word[40])
{
	size_t n = 0;

	skip_space(c);
	while (c->at < c->end && n < 39 && *c->at != ',' && *c->at != '}' &&
		*c->at != ' ')
		word[n++] = *c->at++;
	word[n] = '\0';
	if (n == 0 || n == 39)
		c->bad = true;
}

static struct store_value
number(struct cursor *c, enum store_type type, const char *word)
{
	struct store_value v = { 0 };
	char *end;

	errno = 0;
	if (type == STORE_INT)
		v.i = strtoll(word, &end, 10);
	else if (type == STORE_UINT)
		v.u = strtoull(word, &end, 10);
	else
		v.real = strtod(word, &end);
	if (*end != '\0' || (errno != 0 && type != STORE_REAL) ||
		(type == STORE_UINT && *word == '-'))
		c->bad = true;
	return v;
}

static struct store_value
take_value(struct cursor *c, enum store_type type)
{
	char word[40];

	skip_space(c);
	if (c->at < c->end && *c->at == '"') {
		c->bad |= type != STORE_TEXT && type != STORE_NAME;
		return take_text(c);
	}
	take_word(c, word);
	if (strcmp(word, "null") == 0)
		return store_null();
	if (type == STORE_INT || type == STORE_UINT || type == STORE_REAL)
		return number(c, type, word);
	if (type != STORE_FLAG ||
		(strcmp(word, "true") != 0 && strcmp(word, "false") != 0))
		c->bad = true;
	return store_flag(*word == 't');
}

/* Skips the value of a member that is no column: any flat value. */
static void
skip_value(struct cursor *c)
{
	char word[40];

	skip_space(c);
	if (c->at < c->end && *c->at == '"')
		take_text(c);
	else
		take_word(c, word);
}

/* Returns the column with that name, which is most often the guess. */
static uint32_t
find(const struct store_table *t, const struct store_value *key, uint32_t guess)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t k = (guess + i) % t->n;
		const char *name = t->column[k].name;

		if (strlen(name) == key->size &&
			memcmp(name, key->text, key->size) == 0)
			return k;
	}
	return t->n;
}

bool
jsonline_read(char *line, size_t size, const struct store_table *t,
	struct store_value *row, struct err *err)
{
	struct cursor c = { line, line + size, false };
	uint32_t next = 0;

	for (uint32_t i = 0; i < t->n; i++)
		row[i] = store_null();
	expect(&c, '{');
	do {
		struct store_value key = take_text(&c);
		uint32_t i = find(t, &key, next);

		expect(&c, ':');
		if (i < t->n)
			row[i] = take_value(&c, t->column[i].type);
		else
			skip_value(&c);
		next = i < t->n ? i + 1 : next;
	} while (!c.bad && take(&c, ','));
	expect(&c, '}');
	skip_space(&c);
	return (!c.bad && c.at == c.end) ||
		err_set(err, ERR_INPUT,
			"not a row of table %s, near its byte %lld", t->name,
			(long long)(c.at - line));
}
