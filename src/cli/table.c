/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/fit.h"
#include "cli/out.h"
#include "cli/screen.h"

#define CELL_MOST 8192
#define NAME_LEAST 12 /* columns of a cut name */

void
table_cell(struct table *t, const char *fmt, ...)
{
	char text[CELL_MOST];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	table_text(t, arena_strdup(t->arena, text), strlen(text));
}

void
table_text(struct table *t, const char *text, size_t size)
{
	VEC_PUSH(&t->cell, t->arena, ((struct table_cell){ text, size }));
}

void
table_empty(struct table *t)
{
	table_text(t, NULL, 0);
}

static bool
is_word(const struct table_column *c, const char *word, size_t n)
{
	return (strlen(c->name) == n && strncmp(c->name, word, n) == 0) ||
		(c->other != NULL && strlen(c->other) == n &&
			strncmp(c->other, word, n) == 0);
}

static bool
choose(struct table_column *columns, int n, const char *word, size_t length,
	bool is_hidden)
{
	for (int i = 0; i < n; i++)
		if (is_word(&columns[i], word, length)) {
			columns[i].is_hidden = is_hidden;
			return true;
		}
	return false;
}

/* The names, for the message that one of them is not there. */
static const char *
names(struct arena *a, const struct table_column *columns, int n)
{
	const char *all = "";

	for (int i = 0; i < n; i++)
		all = arena_printf(
			a, "%s%s%s", all, i > 0 ? ", " : "", columns[i].name);
	return all;
}

const struct table_column *
table_choose(struct arena *a, const struct table_column *columns, int n,
	const char *words, struct err *err)
{
	struct table_column *own = ARENA_ARRAY(a, struct table_column, n);

	memcpy(own, columns, (size_t)n * sizeof *own);
	if (words == NULL)
		return own;
	for (int i = 0; i < n && *words != '+' && *words != '-'; i++)
		own[i].is_hidden = true;
	while (*words != '\0') {
		bool is_hidden = *words == '-';
		size_t length;

		words += *words == '+' || *words == '-';
		length = strcspn(words, ",");
		if (!choose(own, n, words, length, is_hidden)) {
			err_set(err, ERR_INPUT,
				"no column \"%.*s\"; there are: %s",
				(int)length, words, names(a, columns, n));
			return NULL;
		}
		words += length + (words[length] == ',');
	}
	return own;
}

static const struct table_cell *
cell_at(const struct table *t, int row, int column)
{
	return &t->cell.at[row * t->n + column];
}

static int
rows(const struct table *t)
{
	return t->cell.n / t->n;
}

/* Characters, of UTF-8. */
static int
width_of(const char *s, size_t size)
{
	int n = 0;

	for (size_t i = 0; i < size; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static int
column_width(const struct table *t, int column)
{
	const struct table_column *c = &t->column[column];
	int unit = c->unit == NULL ? 0 : width_of(c->unit, strlen(c->unit));
	int most = width_of(c->title, strlen(c->title));

	for (int row = 0; row < rows(t); row++) {
		const struct table_cell *cell = cell_at(t, row, column);
		int n = cell->text == NULL
			? 0
			: width_of(cell->text, cell->size) + unit;

		most = n > most ? n : most;
	}
	return most;
}

/* The last visible column has no blanks behind it. */
static int
last_column(const struct table *t)
{
	int last = 0;

	for (int i = 0; i < t->n; i++)
		if (!t->column[i].is_hidden)
			last = i;
	return last;
}

static void
pad(struct out *o, int n)
{
	for (; n > 0; n--)
		out_puts(o, " ");
}

/* What a terminal bears. */
static const char *
clean(const struct table *t, const struct table_cell *cell)
{
	char *text = arena_strndup(t->arena, cell->text, cell->size);

	for (size_t i = 0; i < cell->size; i++)
		if (text[i] == '\0')
			text[i] = '?';
	return text_disarm(text);
}

static void
put_cell(struct out *o, const struct table *t, int column, int width,
	const struct table_cell *cell, const char *unit)
{
	bool is_number = t->column[column].is_number;
	int n = cell->text == NULL ? 0
				   : width_of(cell->text, cell->size) +
			width_of(unit, strlen(unit));

	if (is_number)
		pad(o, width - n);
	if (cell->text != NULL) {
		out_puts(o, clean(t, cell));
		out_puts(o, unit);
	}
	if (column == last_column(t)) {
		while (o->at > o->buf && o->at[-1] == ' ')
			o->at--;
		out_puts(o, "\n");
		return;
	}
	pad(o, is_number ? 2 : width - n + 2);
}

/* The names of a column in so many characters; they stay different. */
static void
fit_column(struct table *t, int column, int width)
{
	int n = rows(t), named = 0;
	const char **name = ARENA_ARRAY(t->arena, const char *, n);

	for (int row = 0; row < n; row++) {
		const struct table_cell *cell = cell_at(t, row, column);

		name[row] = cell->text == NULL ? "" : clean(t, cell);
		named += cell->text != NULL;
	}
	if (named == 0)
		return;
	name = fit_texts(t->arena, name, n, width);
	for (int row = 0; row < n; row++) {
		struct table_cell *cell = &t->cell.at[row * t->n + column];

		if (cell->text != NULL)
			*cell = (struct table_cell){ name[row],
				strlen(name[row]) };
	}
}

/* The widest column of names that may be cut, or -1. */
static int
widest_name(const struct table *t, const int *width)
{
	int widest = -1;

	for (int i = 0; i < t->n; i++)
		if (!t->column[i].is_hidden && !t->column[i].is_number &&
			width[i] > NAME_LEAST &&
			(widest < 0 || width[i] > width[widest]))
			widest = i;
	return widest;
}

/* Makes columns of names narrower until a line has so many characters. False:
 * even so it has more. */
static bool
fit_columns(struct table *t, int *width, int most)
{
	int all = -2, i;

	for (i = 0; i < t->n; i++)
		all += t->column[i].is_hidden ? 0 : width[i] + 2;
	for (; all > most && (i = widest_name(t, width)) >= 0; all--)
		width[i]--;
	if (all > most)
		return false;
	for (i = 0; i < t->n; i++)
		if (!t->column[i].is_number && width[i] >= NAME_LEAST)
			fit_column(t, i, width[i]);
	return true;
}

static void
put_upright(const struct table *t, struct out *o, int column,
	const struct table_cell *cell)
{
	const struct table_column *c = &t->column[column];

	if (cell->text == NULL || cell->size == 0)
		return;
	out_puts(o, c->title);
	out_puts(o, ": ");
	out_puts(o, clean(t, cell));
	out_puts(o, c->unit == NULL ? "" : c->unit);
	out_puts(o, "\n");
}

/* Each value on a line of its own, for a screen that is too narrow. */
static void
print_upright(struct table *t, struct out *o, int most)
{
	for (int i = 0; i < t->n; i++) {
		int room = most - 2 - (int)strlen(t->column[i].title);

		if (!t->column[i].is_hidden && !t->column[i].is_number)
			fit_column(t, i, room < NAME_LEAST ? NAME_LEAST : room);
	}
	for (int row = 0; row < rows(t); row++) {
		out_puts(o, row > 0 ? "\n" : "");
		for (int i = 0; i < t->n; i++)
			if (!t->column[i].is_hidden)
				put_upright(t, o, i, cell_at(t, row, i));
	}
}

/* A line, or with row -1 the titles; these are cut like names. */
static void
put_row(const struct table *t, struct out *o, int row, const int *width)
{
	for (int i = 0; i < t->n; i++) {
		const struct table_column *c = &t->column[i];
		const char *unit = row < 0 || c->unit == NULL ? "" : c->unit;
		struct table_cell head = { c->title, strlen(c->title) };

		if ((size_t)width[i] < head.size)
			head.size = (size_t)width[i];
		if (!c->is_hidden)
			put_cell(o, t, i, width[i],
				row < 0 ? &head : cell_at(t, row, i), unit);
	}
}

static void
print_text(const struct table *all, struct out *o)
{
	int *width = ARENA_ARRAY(all->arena, int, all->n);
	int most = screen_columns();
	struct table own = *all, *t = &own;

	own.cell.at = ARENA_ARRAY(own.arena, struct table_cell, own.cell.n);
	for (int i = 0; i < own.cell.n; i++)
		own.cell.at[i] = all->cell.at[i];
	for (int i = 0; i < t->n; i++)
		width[i] = column_width(t, i);
	if (most > 0 && !fit_columns(t, width, most)) {
		print_upright(t, o, most);
		return;
	}
	for (int row = -1; row < rows(t); row++)
		put_row(t, o, row, width);
}

static void
put_csv(struct out *o, const struct table_cell *cell)
{
	if (cell->text != NULL)
		out_csv(o, cell->text, cell->size);
}

static void
print_csv(const struct table *t, struct out *o)
{
	for (int row = -1; row < rows(t); row++) {
		const char *mark = "";

		for (int i = 0; i < t->n; i++) {
			const char *name = t->column[i].name;
			struct table_cell head = { name, strlen(name) };

			if (t->column[i].is_hidden)
				continue;
			out_puts(o, mark);
			put_csv(o, row < 0 ? &head : cell_at(t, row, i));
			mark = ",";
		}
		out_puts(o, "\n");
	}
}

static void
print_object(const struct table *t, struct out *o, int row)
{
	const char *mark = "{";

	for (int i = 0; i < t->n; i++) {
		const struct table_cell *cell = cell_at(t, row, i);

		if (t->column[i].is_hidden)
			continue;
		out_puts(o, mark);
		out_json(o, t->column[i].name);
		out_puts(o, ":");
		if (cell->text == NULL)
			out_puts(o, "null");
		else if (t->column[i].is_number)
			out_puts(o, cell->text);
		else
			out_json_n(o, cell->text, cell->size);
		mark = ",";
	}
	out_puts(o, "}");
}

static void
print_json(const struct table *t, struct out *o)
{
	out_puts(o, "[");
	for (int row = 0; row < rows(t); row++) {
		out_puts(o, row > 0 ? ",\n" : "\n");
		print_object(t, o, row);
	}
	out_puts(o, "\n]\n");
}

void
table_print(const struct table *t, enum table_format format)
{
	struct out o;

	out_open(&o);
	switch (format) {
	case TABLE_TEXT:
		print_text(t, &o);
		break;
	case TABLE_CSV:
		print_csv(t, &o);
		break;
	case TABLE_JSON:
		print_json(t, &o);
		break;
	}
	out_close(&o);
}
