/* SPDX-License-Identifier: MIT */
/*
 * table.h - a table for a terminal, a spreadsheet (CSV) or a program (JSON).
 *
 *	static const struct table_column columns[] = {
 *		{ .name = "share_percent", .title = "share",
 *			.kind = TABLE_SHARE },
 *		{ .name = "duration", .kind = TABLE_TIME },
 *		{ .name = "variable" },
 *	};
 *	struct table t = table_new(&arena, columns, 3, TABLE_CSV, "ns");
 *	table_share(&t, part, whole);
 *	table_time(&t, end - start);
 *	table_word(&t, name);
 *	table_print(&t);                   share_percent,duration_ns,variable
 *
 * The caller fills the cells line by line, including those of hidden columns.
 * In text, times have the most readable unit and shares one decimal. In CSV and
 * JSON, times are integers in the trace's unit, which is appended to the
 * column's name, and shares have enough digits to add up.
 */
#ifndef WEFT_CLI_TABLE_H
#define WEFT_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct arena;
struct times_unit;

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON };

#define TABLE_FORMATS "text,csv,json" /* for an option's choices */

enum table_kind {
	TABLE_WORD,
	TABLE_NUMBER,
	TABLE_TIME,
	TABLE_SHARE,
	TABLE_FLAG, /* in text: the name of the column, or nothing */
};

/* The formats that have a column, if not all. */
enum {
	TABLE_IN_TEXT = 1 << TABLE_TEXT,
	TABLE_IN_CSV = 1 << TABLE_CSV,
	TABLE_IN_JSON = 1 << TABLE_JSON,
	TABLE_IN_DATA = TABLE_IN_CSV | TABLE_IN_JSON,
};

struct table_column {
	const char *name;  /* name in CSV and JSON */
	const char *title; /* title in text; NULL: the name */
	const char *other; /* another name that --columns takes, or NULL */
	enum table_kind kind;
	unsigned in;    /* formats with this column, TABLE_IN_...; 0: all */
	bool is_hidden; /* no format shows the column */
	bool is_rare;   /* JSON: omit the key in lines where it is empty */

	/* Only in text: */
	int width;        /* least width, if the screen has room for it */
	bool is_sentence; /* the cells are sentences, which are cut before names
	                   * are cut, or printed below their line */
	bool is_whole;    /* the sentences are never cut */
	const char *none; /* text for an empty cell, or NULL */
	/* Unit of all times in this column, or NULL. */
	const struct times_unit *unit;

	int place; /* index of its cell among the kept cells of a line */
};

struct table_cell {
	const char *text; /* NULL: empty */
	size_t size;
};

struct table_heading {
	const char *text;
	int row; /* index of the line below the heading */
};

struct table {
	struct arena *arena;
	struct arena *texts; /* arena of the cells: the same, or one that the
	                      * caller resets */
	struct table_column *column;
	int n;     /* columns */
	int shown; /* columns whose cells are kept */
	enum table_format format;
	const char *unit; /* unit of times */
	int indent;       /* indent of each line in text */
	int next;         /* column of the next cell */
	bool begun;       /* CSV: the names of the columns have been written */
	VEC(struct table_cell) cell;
	VEC(struct table_heading) heading;
};

/* Returns an empty table. unit: the trace's unit of time, or NULL if the table
 * has no times. The columns are borrowed. */
struct table table_new(struct arena *a, const struct table_column *columns,
	int n, enum table_format format, const char *unit);

/*
 * Shows and hides columns by a list of words: "+size,-share" shows one and
 * hides one; words without a sign hide all other columns; NULL changes nothing.
 * A word is the name or the other name of a column. Returns false and sets err
 * if there is no such column.
 */
bool table_choose(struct table *t, const char *words, struct err *err);

/* Add the next cell; a word may be NULL. */
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void table_word(struct table *t, const char *word);
void table_i64(struct table *t, int64_t value);
void table_u64(struct table *t, uint64_t value);
void table_time(struct table *t, int64_t time);
void table_flag(struct table *t, bool is);

/* Adds a number with a fraction; text shows one decimal. */
void table_real(struct table *t, double value);

/* Adds part / whole in per cent; empty if whole is 0. */
void table_share(struct table *t, double part, double whole);

/* Adds a text of `size` bytes, borrowed, which may contain NULs. */
void table_text(struct table *t, const char *text, size_t size);

/* Adds an empty cell; null in JSON. */
void table_empty(struct table *t);

/* Returns the number of lines. */
int table_rows(const struct table *t);

/* Adds a heading above the next line of a text table. */
void table_head(struct table *t, const char *text);

#endif
