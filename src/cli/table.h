/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows for a terminal, for a spreadsheet (CSV), for a program (JSON).
 *
 *	static const struct table_column columns[] = {
 *		{ .name = "share_percent", .title = "share",
 *		  .kind = TABLE_SHARE },
 *		{ .name = "duration", .kind = TABLE_TIME },
 *		{ .name = "variable" },
 *	};
 *	struct table t = table_new(&arena, columns, 3, TABLE_CSV, "ns");
 *	table_share(&t, part, whole);
 *	table_time(&t, end - start);
 *	table_word(&t, name);
 *	table_print(&t);                   share_percent,duration_ns,variable
 *
 * Cells are filled row by row, those of hidden columns too. For people times
 * have the unit that fits best and shares a tenth of a per cent; for programs
 * times are whole numbers of the trace's unit, which ends the column's name,
 * and shares have so many digits that sums come out.
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

#define TABLE_FORMATS "text,csv,json" /* as an option takes them */

enum table_kind {
	TABLE_WORD,
	TABLE_NUMBER,
	TABLE_TIME,
	TABLE_SHARE,
	TABLE_FLAG, /* for people: the name of the column, or nothing */
};

/* Where a column is, if not everywhere. */
enum {
	TABLE_IN_TEXT = 1 << TABLE_TEXT,
	TABLE_IN_CSV = 1 << TABLE_CSV,
	TABLE_IN_JSON = 1 << TABLE_JSON,
	TABLE_IN_DATA = TABLE_IN_CSV | TABLE_IN_JSON,
};

struct table_column {
	const char *name;  /* for programs */
	const char *title; /* for people; NULL: the name */
	const char *other; /* name that is also taken for it, or NULL */
	enum table_kind kind;
	unsigned in;    /* TABLE_IN_..., 0: all */
	bool is_hidden; /* of all formats */
	bool is_rare;   /* JSON: rows where it is empty have no such key */

	/* In a text: */
	int width;        /* at least, if the screen has room for it */
	bool is_sentence; /* cut before names are, or below them */
	const char *none; /* what stands where it is empty, or NULL */
	const struct times_unit *unit; /* that all times of it have, or NULL */

	int place; /* of its cell in a row of those that are kept */
};

struct table_cell {
	const char *text; /* NULL: nothing */
	size_t size;
};

struct table_heading {
	const char *text;
	int row; /* below it */
};

struct table {
	struct arena *arena;
	struct arena *texts; /* of cells; the same, or one that is reset */
	struct table_column *column;
	int n;     /* columns */
	int shown; /* of them: the cells of others are not kept */
	enum table_format format;
	const char *unit; /* of times */
	int indent;       /* of each line of a text */
	int next;         /* column */
	bool begun;       /* CSV: its names are there */
	VEC(struct table_cell) cell;
	VEC(struct table_heading) heading;
};

/* An empty table; unit: that of the trace, or NULL if it has no times. What is
 * named is borrowed. */
struct table table_new(struct arena *a, const struct table_column *columns,
	int n, enum table_format format, const char *unit);

/*
 * The visibility that a list of words asks for: "+size,-share" shows and hides
 * one, words without a sign hide all others; NULL leaves all as it is. A word
 * is a name, or the other name of a column. False with err: there is no such
 * column.
 */
bool table_choose(struct table *t, const char *words, struct err *err);

/* The next cell; a word may be NULL. */
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void table_word(struct table *t, const char *word);
void table_i64(struct table *t, int64_t value);
void table_u64(struct table *t, uint64_t value);
void table_time(struct table *t, int64_t time);
void table_flag(struct table *t, bool is);

/* A number with a part: a tenth in a text. */
void table_real(struct table *t, double value);

/* In per cent; of nothing: empty. */
void table_share(struct table *t, double part, double whole);

/* A text of that size, borrowed, which may hold NULs. */
void table_text(struct table *t, const char *text, size_t size);

/* A cell with nothing in it: null in JSON. */
void table_empty(struct table *t);

/* How many there are. */
int table_rows(const struct table *t);

/* A line of a text, above the next row, as it is. */
void table_head(struct table *t, const char *text);

#endif
