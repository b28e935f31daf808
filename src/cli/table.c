/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "cli/times.h"

#define CELL_MOST 8192

struct table
table_new(struct arena *a, const struct table_column *columns, int n,
	enum table_format format, const char *unit)
{
	struct table_column *own = ARENA_ARRAY(a, struct table_column, n);

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
	return (struct table){ .arena = a,
		.column = own,
		.n = n,
		.format = format,
		.unit = unit };
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

/* The names, for the message that one of them is not there. */
static const char *
names(const struct table *t)
{
	const char *all = "";

	for (int i = 0; i < t->n; i++)
		all = arena_printf(t->arena, "%s%s%s", all, i > 0 ? ", " : "",
			t->column[i].name);
	return all;
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
			return err_set(err, ERR_INPUT,
				"no column \"%.*s\"; there are: %s",
				(int)length, words, names(t));
		words += length + (words[length] == ',');
	}
	return true;
}

void
table_text(struct table *t, const char *text, size_t size)
{
	VEC_PUSH(&t->cell, t->arena, ((struct table_cell){ text, size }));
}

static void
copy(struct table *t, const char *text, size_t size)
{
	table_text(t, arena_strndup(t->arena, text, size), size);
}

void
table_cell(struct table *t, const char *fmt, ...)
{
	char text[CELL_MOST];
	va_list ap;

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

	copy(t, text, (size_t)(digits_i64(text, value) - text));
}

void
table_u64(struct table *t, uint64_t value)
{
	char text[DIGITS_MAX];

	copy(t, text, (size_t)(digits_u64(text, value) - text));
}

void
table_real(struct table *t, double value)
{
	table_cell(t, "%.*f", t->format == TABLE_TEXT ? 1 : 6, value);
}

void
table_share(struct table *t, double part, double whole)
{
	if (whole <= 0)
		table_empty(t);
	else
		table_real(t, 100.0 * part / whole);
}

static const struct table_column *
next_column(const struct table *t)
{
	return &t->column[t->cell.n % t->n];
}

void
table_time(struct table *t, int64_t time)
{
	const struct times_unit *unit = next_column(t)->unit;
	char text[TIMES_TEXT];

	if (t->format != TABLE_TEXT)
		table_i64(t, time);
	else if (unit != NULL)
		table_cell(
			t, "%.*f", unit->decimals, (double)time / unit->size);
	else
		table_cell(t, "%s", times_text(time, t->unit, text));
}

void
table_flag(struct table *t, bool is)
{
	if (t->format == TABLE_TEXT)
		table_word(t, is ? next_column(t)->title : "");
	else
		table_word(t, is ? "true" : "false");
}

void
table_head(struct table *t, const char *text)
{
	VEC_PUSH(&t->heading, t->arena,
		((struct table_heading){ text, t->cell.n }));
}
