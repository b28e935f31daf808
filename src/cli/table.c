/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "cli/choices.h"
#include "cli/times.h"

#define CELL_MOST 8192
#define REAL_MOST \
	400 /* characters of any double: up to 309 digits before \
	     * the point */

static void
lay_out(struct table *t)
{
	t->shown = 0;
	for (int i = 0; i < t->n; i++)
		t->column[i].place = t->column[i].is_hidden ? 0 : t->shown++;
}

struct table
table_new(struct arena *a, const struct table_column *columns, int n,
	enum table_format format, const char *unit)
{
	struct table_column *own = ARENA_ARRAY(a, struct table_column, n);
	struct table t = { .arena = a,
		.texts = a,
		.column = own,
		.n = n,
		.format = format,
		.unit = unit };

	for (int i = 0; i < n; i++) {
		struct table_column *c = &own[i];

		*c = columns[i];
		if (c->title == NULL)
			c->title = c->name;
		if (c->kind == TABLE_TIME)
			c->name = arena_printf(a, "%s_%s", c->name, unit);
		if (c->unit != NULL)
			c->title = arena_printf(
				a, "%s %s", c->title, c->unit->name);
		c->is_hidden |= c->in != 0 && (c->in & 1u << format) == 0;
	}
	lay_out(&t);
	return t;
}

static bool
is_word(const struct table_column *c, const char *word, size_t n)
{
	return (strlen(c->name) == n && strncmp(c->name, word, n) == 0) ||
		(c->other != NULL && strlen(c->other) == n &&
			strncmp(c->other, word, n) == 0);
}

static bool
choose(struct table *t, const char *word, size_t length, bool is_hidden)
{
	for (int i = 0; i < t->n; i++)
		if (is_word(&t->column[i], word, length)) {
			t->column[i].is_hidden = is_hidden;
			return true;
		}
	return false;
}

static bool
unknown(const struct table *t, const char *word, size_t n, struct err *err)
{
	struct choices there = { .near.word =
					 arena_strndup(t->arena, word, n) };
	char said[CHOICES_SAID];

	for (int i = 0; i < t->n; i++)
		choices_add(&there, t->column[i].name);
	return err_set(err, ERR_INPUT, "no column \"%s\"; %s", there.near.word,
		choices_said(&there, said));
}

bool
table_choose(struct table *t, const char *words, struct err *err)
{
	if (words == NULL)
		return true;
	for (int i = 0; i < t->n && *words != '+' && *words != '-'; i++)
		t->column[i].is_hidden = true;
	while (*words != '\0') {
		bool is_hidden = *words == '-';
		size_t length;

		words += *words == '+' || *words == '-';
		length = strcspn(words, ",");
		if (!choose(t, words, length, is_hidden))
			return unknown(t, words, length, err);
		words += length + (words[length] == ',');
	}
	lay_out(t);
	return true;
}

void
table_text(struct table *t, const char *text, size_t size)
{
	if (!t->column[t->next].is_hidden)
		VEC_PUSH(&t->cell, t->arena,
			((struct table_cell){ text, size }));
	t->next = t->next + 1 < t->n ? t->next + 1 : 0;
}

/* Returns true, and skips the next cell, if its column is hidden. */
static bool
is_passed(struct table *t)
{
	bool is_hidden = t->column[t->next].is_hidden;

	if (is_hidden)
		table_empty(t);
	return is_hidden;
}

static void
copy(struct table *t, const char *text, size_t size)
{
	table_text(t, arena_strndup(t->texts, text, size), size);
}

void
table_cell(struct table *t, const char *fmt, ...)
{
	char text[CELL_MOST];
	va_list ap;

	if (is_passed(t))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	copy(t, text, strlen(text));
}

void
table_word(struct table *t, const char *word)
{
	table_text(t, word, word == NULL ? 0 : strlen(word));
}

void
table_empty(struct table *t)
{
	table_text(t, NULL, 0);
}

void
table_i64(struct table *t, int64_t value)
{
	char text[DIGITS_MAX];

	if (!is_passed(t))
		copy(t, text, (size_t)(digits_i64(text, value) - text));
}

void
table_u64(struct table *t, uint64_t value)
{
	char text[DIGITS_MAX];

	if (!is_passed(t))
		copy(t, text, (size_t)(digits_u64(text, value) - text));
}

static void
put_real(struct table *t, int decimals, double value)
{
	char text[REAL_MOST];
	int n = snprintf(text, sizeof text, "%.*f", decimals, value);

	copy(t, text, (size_t)n);
}

void
table_real(struct table *t, double value)
{
	if (!is_passed(t))
		put_real(t, t->format == TABLE_TEXT ? 1 : 6, value);
}

void
table_share(struct table *t, double part, double whole)
{
	if (whole <= 0)
		table_empty(t);
	else
		table_real(t, 100.0 * part / whole);
}

void
table_time(struct table *t, int64_t time)
{
	const struct times_unit *unit = t->column[t->next].unit;
	char text[TIMES_TEXT];

	if (is_passed(t))
		return;
	if (t->format != TABLE_TEXT)
		table_i64(t, time);
	else if (unit != NULL)
		put_real(t, unit->decimals, (double)time / unit->size);
	else
		copy(t, text, strlen(times_text(time, t->unit, text)));
}

void
table_flag(struct table *t, bool is)
{
	if (t->format == TABLE_TEXT)
		table_word(t, is ? t->column[t->next].title : "");
	else
		table_word(t, is ? "true" : "false");
}

int
table_rows(const struct table *t)
{
	return t->shown == 0 ? 0 : t->cell.n / t->shown;
}

void
table_head(struct table *t, const char *text)
{
	VEC_PUSH(&t->heading, t->arena,
		((struct table_heading){ text, table_rows(t) }));
}
