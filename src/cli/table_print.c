/* SPDX-License-Identifier: MIT */
#include "cli/table_print.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/columns.h"
#include "base/document.h"
#include "base/text.h"
#include "cli/fit.h"
#include "cli/screen.h"

/* Characters of a cut name: the minimum, and the width above which names are
 * cut before other columns. */
enum { NAME_LEAST = 12, NAME_ENOUGH = 20, SENTENCE_LEAST = 16 };

#define BELOW 4 /* indent of a sentence below its line */

static struct table_cell *
cell_at(const struct table *t, int row, int column)
{
	return &t->cell.at[row * t->shown + t->column[column].place];
}

static bool
is_number(const struct table *t, int column)
{
	return t->column[column].kind != TABLE_WORD &&
		t->column[column].kind != TABLE_FLAG;
}

/* Returns the unit that follows each value. */
static const char *
unit_of(const struct table_column *c)
{
	return c->kind == TABLE_SHARE ? " %" : "";
}

static int
column_width(const struct table *t, int column)
{
	const struct table_column *c = &t->column[column];
	int unit = columns_of_bytes(unit_of(c), strlen(unit_of(c)));
	int most = columns_of_bytes(c->title, strlen(c->title));

	for (int row = 0; row < table_rows(t); row++) {
		const struct table_cell *cell = cell_at(t, row, column);
		int n = cell->text == NULL
			? 0
			: columns_of_bytes(cell->text, cell->size) + unit;

		most = n > most ? n : most;
	}
	return most;
}

/* Returns the last visible column, after which no blanks are printed. */
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
	static const char blanks[] = "                                ";
	const int most = sizeof blanks - 1;

	for (; n > most; n -= most)
		out_put(o, blanks, most);
	if (n > 0)
		out_put(o, blanks, (size_t)n);
}

/* Returns the cell's text without control characters. */
static const char *
clean(const struct table *t, const struct table_cell *cell)
{
	char *text = arena_strndup(t->arena, cell->text, cell->size);

	for (size_t i = 0; i < cell->size; i++)
		if (text[i] == '\0')
			text[i] = '?';
	return text_disarm(text);
}

static bool
is_clean(const struct table_cell *cell)
{
	for (size_t i = 0; i < cell->size; i++)
		if ((unsigned char)cell->text[i] < ' ' || cell->text[i] == 0x7f)
			return false;
	return true;
}

static void
put_text(struct out *o, const struct table *t, const struct table_cell *cell)
{
	if (is_clean(cell))
		out_put(o, cell->text, cell->size);
	else
		out_puts(o, clean(t, cell));
}

/* Prints a cell. Returns the number of blanks up to the next one. */
static int
put_cell(struct out *o, const struct table *t, int column, int width,
	const struct table_cell *cell, const char *unit)
{
	int n = cell->text == NULL ? 0
				   : columns_of_bytes(cell->text, cell->size) +
			columns_of_bytes(unit, strlen(unit));

	if (is_number(t, column))
		pad(o, width - n);
	if (cell->text != NULL) {
		put_text(o, t, cell);
		out_puts(o, unit);
	}
	return is_number(t, column) ? 2 : width - n + 2;
}

static void
end_line(struct out *o)
{
	while (o->at > o->buf && o->at[-1] == ' ')
		o->at--;
	out_puts(o, "\n");
}

/* Shortens the names of a column to `width` characters. Different names stay
 * different. */
static void
fit_column(struct table *t, int column, int width)
{
	int n = table_rows(t), named = 0;
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
		struct table_cell *cell = cell_at(t, row, column);

		if (cell->text != NULL)
			*cell = (struct table_cell){ name[row],
				strlen(name[row]) };
	}
}

/* Returns the widest column of names that is wider than `least`, or -1. */
static int
widest_name(const struct table *t, const int *width, int least)
{
	int widest = -1;

	for (int i = 0; i < t->n; i++)
		if (!t->column[i].is_hidden && !is_number(t, i) &&
			width[i] > least &&
			(widest < 0 || width[i] > width[widest]))
			widest = i;
	return widest;
}

static int
line_width(const struct table *t, const int *width)
{
	int all = t->indent - 2;

	for (int i = 0; i < t->n; i++)
		all += t->column[i].is_hidden ? 0 : width[i] + 2;
	return all;
}

/* Makes columns of names narrower until a line has at most `most` characters.
 * Returns false if the line stays wider. */
static bool
fit_widths(const struct table *t, int *width, int most, int least)
{
	int all = line_width(t, width), i;

	for (; all > most && (i = widest_name(t, width, least)) >= 0; all--)
		width[i]--;
	return all <= most;
}

/* Makes columns of sentences narrower. If that does not suffice, returns the
 * column whose sentences are printed below their lines; else -1. */
static int
fit_sentences(struct table *t, int *width, int most)
{
	int over = line_width(t, width) - most;

	for (int i = 0; over > 0 && i < t->n; i++) {
		if (!t->column[i].is_sentence || t->column[i].is_hidden)
			continue;
		if (t->column[i].is_whole || width[i] - over < SENTENCE_LEAST) {
			t->column[i].is_hidden = true;
			return i;
		}
		width[i] -= over;
		break;
	}
	return -1;
}

/* Chooses the width of columns: the preferred width, else the width of the
 * widest cell. Returns false if the screen is too narrow. */
static bool
fit_columns(struct table *t, int *width, int most, int *below)
{
	int *own = ARENA_ARRAY(t->arena, int, t->n);

	for (int i = 0; i < t->n; i++) {
		own[i] = t->column[i].is_hidden ? 0 : column_width(t, i);
		width[i] = own[i] > t->column[i].width ? own[i]
						       : t->column[i].width;
	}
	if (most == 0)
		return true;
	*below = fit_sentences(t, width, most);
	if (!fit_widths(t, width, most, NAME_ENOUGH)) {
		memcpy(width, own, (size_t)t->n * sizeof *own);
		if (!fit_widths(t, width, most, NAME_LEAST))
			return false;
	}
	for (int i = 0; i < t->n; i++)
		if (!t->column[i].is_hidden && !is_number(t, i) &&
			width[i] >= NAME_LEAST)
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
	if (c->is_sentence) {
		out_flush(o);
		screen_say(arena_printf(t->arena, "%*s%s: %s", t->indent, "",
				   c->title, clean(t, cell)),
			t->indent + 2);
		return;
	}
	pad(o, t->indent);
	out_puts(o, c->title);
	out_puts(o, ": ");
	put_text(o, t, cell);
	out_puts(o, unit_of(c));
	out_puts(o, "\n");
}

/* Prints the headings above a line. */
static void
put_headings(const struct table *t, struct out *o, int *next, int row)
{
	for (; *next < t->heading.n && t->heading.at[*next].row <= row;
		(*next)++) {
		out_puts(o, t->heading.at[*next].text);
		out_puts(o, "\n");
	}
}

/* Prints each value on a line of its own, for a screen that is too narrow. */
static void
print_upright(struct table *t, struct out *o, int most)
{
	int next = 0;

	for (int i = 0; i < t->n; i++) {
		int room =
			most - t->indent - 2 - (int)strlen(t->column[i].title);

		if (!t->column[i].is_hidden && !is_number(t, i) &&
			!t->column[i].is_sentence)
			fit_column(t, i, room < NAME_LEAST ? NAME_LEAST : room);
	}
	for (int row = 0; row < table_rows(t); row++) {
		out_puts(o, row > 0 ? "\n" : "");
		put_headings(t, o, &next, row);
		for (int i = 0; i < t->n; i++)
			if (!t->column[i].is_hidden)
				put_upright(t, o, i, cell_at(t, row, i));
	}
	put_headings(t, o, &next, table_rows(t));
}

/* Prints a line, or the titles if row is -1; titles are cut like names. */
static void
put_row(const struct table *t, struct out *o, int row, const int *width)
{
	const int last = last_column(t);

	pad(o, t->indent);
	for (int i = 0; i < t->n; i++) {
		const struct table_column *c = &t->column[i];
		struct table_cell cell = { c->title, strlen(c->title) };
		bool is_value;
		int gap;

		if (c->is_hidden)
			continue;
		if (row >= 0)
			cell = *cell_at(t, row, i);
		else if ((size_t)width[i] < cell.size)
			cell.size = (size_t)width[i];
		is_value = row >= 0 && cell.text != NULL;
		if (cell.text == NULL && c->none != NULL)
			cell = (struct table_cell){ c->none, strlen(c->none) };
		gap = put_cell(
			o, t, i, width[i], &cell, is_value ? unit_of(c) : "");
		if (i < last)
			pad(o, gap);
		else
			end_line(o);
	}
}

/* Prints a sentence that has no room in its line. */
static void
put_below(const struct table *t, struct out *o, const struct table_cell *cell)
{
	if (cell->text == NULL)
		return;
	out_flush(o);
	screen_say(arena_printf(t->arena, "%*s%s", BELOW, "", clean(t, cell)),
		BELOW);
}

static void
print_lines(const struct table *t, struct out *o, const int *width, int below)
{
	int next = 0;

	for (int row = -1; row < table_rows(t); row++) {
		if (row >= 0)
			put_headings(t, o, &next, row);
		put_row(t, o, row, width);
		if (row >= 0 && below >= 0)
			put_below(t, o, cell_at(t, row, below));
	}
	put_headings(t, o, &next, table_rows(t));
}

static void
print_text(struct table *t)
{
	int *width = ARENA_ARRAY(t->arena, int, t->n);
	int most = screen_columns(), below = -1;
	struct out o;

	out_open(&o);
	if (fit_columns(t, width, most, &below))
		print_lines(t, &o, width, below);
	else
		print_upright(t, &o, most);
	out_close(&o);
}

static void
put_csv(const struct table *t, struct out *o, int row)
{
	const char *mark = "";

	for (int i = 0; i < t->n; i++) {
		const char *name = t->column[i].name;
		struct table_cell head = { name, strlen(name) };
		const struct table_cell *cell =
			row < 0 ? &head : cell_at(t, row, i);

		if (t->column[i].is_hidden)
			continue;
		out_puts(o, mark);
		if (cell->text != NULL)
			out_csv(o, cell->text, cell->size);
		mark = ",";
	}
	out_puts(o, "\n");
}

static void
put_object(const struct table *t, struct doc *d, int row)
{
	doc_begin(d, NULL, '{');
	for (int i = 0; i < t->n; i++) {
		const struct table_cell *cell = cell_at(t, row, i);
		const struct table_column *c = &t->column[i];

		if (c->is_hidden || (c->is_rare && cell->text == NULL))
			continue;
		if (cell->text == NULL || c->kind != TABLE_WORD)
			doc_bare(d, c->name, cell->text);
		else
			doc_text(d, c->name, cell->text, cell->size);
	}
	doc_end(d, '}');
}

void
table_put(struct table *t, struct doc *d)
{
	if (t->format == TABLE_CSV && !t->begun)
		put_csv(t, &d->out, -1);
	t->begun = true;
	for (int row = 0; row < table_rows(t); row++)
		if (t->format == TABLE_CSV)
			put_csv(t, &d->out, row);
		else
			put_object(t, d, row);
	t->cell.n = 0;
}

void
table_print(struct table *t)
{
	struct doc d;

	if (t->format == TABLE_TEXT) {
		print_text(t);
		return;
	}
	doc_open(&d);
	if (t->format == TABLE_JSON)
		doc_begin(&d, NULL, '[');
	table_put(t, &d);
	if (t->format == TABLE_JSON)
		doc_end(&d, ']');
	doc_close(&d);
}
