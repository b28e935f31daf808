/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows for a terminal, for a spreadsheet (CSV), for a program (JSON).
 *
 *	static const struct table_column columns[] = {
 *		{ .name = "share_percent", .title = "share", .unit = " %",
 *		  .is_number = true },
 *		{ .name = "variable", .title = "variable" },
 *	};
 *	struct table t = { .arena = &arena, .column = columns, .n = 2 };
 *	table_cell(&t, "%.1f", share);
 *	table_cell(&t, "%s", name);
 *	table_print(&t, TABLE_TEXT);
 *
 * Cells are filled row by row. A number is written the same everywhere; its
 * unit stands in the text only, and in the name of the column otherwise.
 */
#ifndef WEFT_CLI_TABLE_H
#define WEFT_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/vec.h"

struct arena;

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON };

#define TABLE_FORMATS "text,csv,json" /* as an option takes them */

struct table_column {
	const char *name;  /* for programs */
	const char *title; /* for people */
	const char *unit;  /* behind each number, in the text; or NULL */
	bool is_number;
	bool is_hidden;    /* of all formats */
	const char *other; /* name that is also taken for it, or NULL */
};

struct table_cell {
	const char *text; /* NULL: nothing */
	size_t size;
};

struct table {
	struct arena *arena;
	const struct table_column *column;
	int n; /* columns */
	VEC(struct table_cell) cell;
};

/*
 * The columns with the visibility that a list of words asks for: "+size,-share"
 * shows and hides one, words without a sign hide all others. A word is a name,
 * or the other name of a column. NULL with err: there is no such column.
 */
const struct table_column *table_choose(struct arena *a,
	const struct table_column *columns, int n, const char *words,
	struct err *err);

/* The next cell; of a hidden column too. */
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with a text of that size, borrowed, which may hold NULs. */
void table_text(struct table *t, const char *text, size_t size);

/* A cell with nothing in it: null in JSON. */
void table_empty(struct table *t);

/* A text has a line of titles, CSV of names; JSON is an array of objects. */
void table_print(const struct table *t, enum table_format format);

#endif
