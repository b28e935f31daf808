/* SPDX-License-Identifier: MIT */
/*
 * lines.h - the lines of one table of statistics: the time of each value, in
 * one row or added up over many, sorted for display.
 *
 *	struct stat_lines l = { 0 };
 *	stat_lines_take(&l, &arena, table, type, row, &order);
 *	for (int i = 0; i < l.line.n; i++) ...
 *	stat_lines_fini(&l);
 *
 * The time of VALUE_NONE is always the last line.
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

/* If there are more lines than this, they are summed up, whatever the order. */
#define STAT_LINES (1 << 20)

struct stat_line {
	int64_t value;
	const char *label; /* set by sorting; NULL: no label */
	int64_t time;
	uint64_t times; /* how often the value was entered */
	uint64_t runs;  /* executions of tasks of this type */
	int rows;       /* number of rows that had the value */
	int more;       /* number of lines that are summed in this line; 0: not
	                 * a sum */
};

struct stat_lines {
	struct map of; /* value -> index + 1 */
	VEC(struct stat_line) line;
	int64_t in_states;     /* time of all values but VALUE_NONE */
	int64_t lost;          /* time of VALUE_LOST */
	int64_t lived;         /* total time of all lines: how long the rows
	                        * lived */
	struct stat_line more; /* the sum of lines that were cut */
};

enum stat_key {
	STAT_TIME,  /* longest first */
	STAT_TIMES, /* most often entered first */
	STAT_NAME,
};

struct stat_order {
	enum stat_key key;
	bool runs;   /* sort by runs instead of times */
	bool join;   /* values with the same label are one line */
	bool labels; /* also list values with a label that were never entered */
	int64_t top; /* lines wanted, plus one for the sum of all others; 0:
	              * all */
	int64_t numbers; /* used instead of `top` if that is 0 and the type has
	                  * no labels */
};

/*
 * Fills the lines of a type, for one row or for all rows of its class (row:
 * -1), sorted and cut. Rows that never had a record add the time that they
 * lived to VALUE_NONE.
 */
void stat_lines_take(struct stat_lines *l, struct arena *a,
	struct stat_table *table, int type, int row,
	const struct stat_order *order);

void stat_lines_fini(struct stat_lines *l);

#endif
