/* SPDX-License-Identifier: MIT */
/*
 * lines.h - the lines of one table of statistics: the time of each value, of
 * one row or of many added up, in the order in which people want them.
 *
 *	struct stat_lines l = { 0 };
 *	stat_lines_take(&l, &arena, table, type, row, &order);
 *	for (int i = 0; i < l.line.n; i++) ...
 *	stat_lines_fini(&l);
 *
 * The time of nothing is the last line, whatever the order.
 */
#ifndef WEFT_EXPORT_STAT_LINES_H
#define WEFT_EXPORT_STAT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct arena;
struct stat_lane;
struct stat_table;
struct stat_type;

/* Lines beyond this many are added up, whatever the order says. */
#define STAT_LINES (1 << 20)

struct stat_line {
	int64_t value;
	const char *label; /* after sorting; NULL: it has none */
	int64_t time;
	uint64_t times; /* how often it was entered */
	uint64_t runs;  /* executions of tasks of this type */
	int rows;       /* in so many rows */
	int more;       /* it stands for that many lines; 0: for itself */
};

struct stat_lines {
	struct map of; /* value -> index + 1 */
	VEC(struct stat_line) line;
	int64_t in_states;     /* time of all but nothing */
	int64_t lost;          /* time of VALUE_LOST */
	int64_t lived;         /* of the rows: all that the lines add up to */
	struct stat_line more; /* the sum of lines that were cut */
};

enum stat_key {
	STAT_TIME,  /* longest first */
	STAT_TIMES, /* most often entered first */
	STAT_NAME,
};

struct stat_order {
	enum stat_key key;
	bool runs;   /* runs, not times, are what counts */
	bool join;   /* values with the same label are one line */
	bool labels; /* also values with a label that were never entered */
	int64_t top; /* as many lines, and one with all that is left; 0: all */
	int64_t numbers; /* top of types without labels if that is 0 */
};

/*
 * The lines of a type: of one row, or of all of its class (row: -1), sorted and
 * cut. Rows that never had a record add the time that they lived to that of
 * nothing.
 */
void stat_lines_take(struct stat_lines *l, struct arena *a,
	struct stat_table *table, int type, int row,
	const struct stat_order *order);

void stat_lines_fini(struct stat_lines *l);

#endif
