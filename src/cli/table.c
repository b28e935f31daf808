/* SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/out.h"

#define CELL_MOST 8192

void
table_cell(struct table *t, const char *fmt, ...)
{
	char text[CELL_MOST];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	VEC_PUSH(&t->cell, t->arena, arena_strdup(t->arena, text));
}

void
table_empty(struct table *t)
{
	VEC_PUSH(&t->cell, t->arena, NULL);
}

static const char *
cell_at(const struct table *t, int row, int column)
{
	return t->cell.at[row * t->n + column];
}

static int
rows(const struct table *t)
{
	return t->cell.n / t->n;
}

/* Characters, of UTF-8. */
static int
width_of(const char *s)
{
	int n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static int
column_width(const struct table *t, int column)
{
	const struct table_column *c = &t->column[column];
	int unit = c->unit == NULL ? 0 : width_of(c->unit);
	int most = width_of(c->title);

	for (int row = 0; row < rows(t); row++) {
		const char *s = cell_at(t, row, column);
		int n = s == NULL ? 0 : width_of(s) + unit;

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

static void
put_cell(struct out *o, const struct table *t, int column, int width,
	const char *text, const char *unit)
{
	bool is_number = t->column[column].is_number;
	int n = text == NULL ? 0 : width_of(text) + width_of(unit);

	if (is_number)
		pad(o, width - n);
	if (text != NULL) {
		out_puts(o, text_disarm(arena_strdup(t->arena, text)));
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

static void
print_text(const struct table *t, struct out *o)
{
	for (int row = -1; row < rows(t); row++)
		for (int i = 0; i < t->n; i++) {
			const struct table_column *c = &t->column[i];
			bool head = row < 0;

			if (c->is_hidden)
				continue;
			put_cell(o, t, i, column_width(t, i),
				head ? c->title : cell_at(t, row, i),
				head || c->unit == NULL ? "" : c->unit);
		}
}

static void
put_csv(struct out *o, const char *text)
{
	if (text == NULL)
		return;
	if (strpbrk(text, ",\"\r\n") == NULL) {
		out_puts(o, text);
		return;
	}
	out_puts(o, "\"");
	for (; *text != '\0'; text++) {
		out_put(o, text, 1);
		if (*text == '"')
			out_put(o, text, 1);
	}
	out_puts(o, "\"");
}

static void
print_csv(const struct table *t, struct out *o)
{
	for (int row = -1; row < rows(t); row++) {
		const char *mark = "";

		for (int i = 0; i < t->n; i++) {
			if (t->column[i].is_hidden)
				continue;
			out_puts(o, mark);
			put_csv(o,
				row < 0 ? t->column[i].name
					: cell_at(t, row, i));
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
		const char *text = cell_at(t, row, i);

		if (t->column[i].is_hidden)
			continue;
		out_puts(o, mark);
		out_json(o, t->column[i].name);
		out_puts(o, ":");
		if (text != NULL && t->column[i].is_number)
			out_puts(o, text);
		else
			out_json(o, text);
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
