/* SPDX-License-Identifier: MIT */
#include "store/csvline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/textfile.h"

void
csvline_head(struct textfile *f, const struct store_table *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		textfile_puts(f, i > 0 ? "," : "");
		textfile_puts(f, t->column[i].name);
	}
	textfile_put(f, "\n", 1);
}

/* Quotes the empty text: an unquoted empty field is null. */
static void
write_text(struct textfile *f, const char *s, size_t n)
{
	if (n == 0 || quote_csv_needs(s, n))
		textfile_quote(f, quote_csv, s, n);
	else
		textfile_put(f, s, n);
}

void
csvline_write(struct textfile *f, const struct store_table *t,
	const struct store_value *row)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (i > 0)
			textfile_put(f, ",", 1);
		if (!row[i].null)
			textfile_value(
				f, t->column[i].type, &row[i], write_text);
	}
	textfile_put(f, "\n", 1);
}

size_t
csvline_length(const char *s, size_t n)
{
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			quoted = !quoted;
		else if (s[i] == '\n' && !quoted)
			return i + 1;
	}
	return 0;
}

/* Parses the field at *at and moves *at to the character that ends the
 * field. */
static struct store_value
take_field(char **at, const char *end)
{
	char *s = *at, *to = s, *begin = s;
	bool quoted = *s == '"';

	if (!quoted) {
		while (s < end && *s != ',' && *s != '\n' &&
			!(*s == '\r' && s + 1 < end && s[1] == '\n'))
			s++;
		*at = s;
		if (s == begin)
			return store_null();
		return store_text(begin, (uint32_t)(s - begin));
	}
	for (s++; s < end; s++) {
		if (*s == '"' && (++s == end || *s != '"'))
			break;
		*to++ = *s;
	}
	*at = s;
	return store_text(begin, (uint32_t)(to - begin));
}

/* Converts an unquoted word; *end receives where the conversion stopped. */
static struct store_value
value_of(enum store_type type, char *word, char **end)
{
	struct store_value v = { 0 };

	*end = word;
	errno = 0;
	if (type == STORE_INT)
		v.i = strtoll(word, end, 10);
	else if (type == STORE_UINT && *word != '-')
		v.u = strtoull(word, end, 10);
	else if (type == STORE_REAL)
		v.real = strtod(word, end);
	else if (type == STORE_FLAG &&
		(strcmp(word, "true") == 0 || strcmp(word, "false") == 0)) {
		v.u = *word == 't';
		*end = strchr(word, '\0');
	}
	if (errno != 0 && type != STORE_REAL)
		*end = word;
	return v;
}

static bool
convert(const struct store_column *c, struct store_value *v, struct err *err)
{
	char word[40] = "", *end = word;
	const char *text = v->text;
	uint32_t size = v->size;

	if (v->null || c->type == STORE_TEXT || c->type == STORE_NAME)
		return true;
	if (size < sizeof word) {
		memcpy(word, text, size);
		*v = value_of(c->type, word, &end);
	}
	if (end != word && end == word + size)
		return true;
	return err_set(err, ERR_INPUT, "\"%.*s\" is not a %s",
		(int)(size < 40 ? size : 40), text, c->name);
}

bool
csvline_read(char *s, size_t n, const struct store_table *t,
	struct store_value *row, struct err *err)
{
	char *end = s + n;

	for (uint32_t i = 0; i < t->n; i++) {
		row[i] = take_field(&s, end);
		if (s < end && *s == '\r')
			s++;
		if (s >= end || *s != (i + 1 < t->n ? ',' : '\n'))
			return err_set(err, ERR_INPUT, "not a row of table %s",
				t->name);
		s++;
		if (!convert(&t->column[i], &row[i], err))
			return false;
	}
	return true;
}
