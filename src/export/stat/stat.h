/* SPDX-License-Identifier: MIT */
/*
 * stat.h - a sink that adds up how long each row had each value.
 *
 *	struct sink *s = stat_open(&arena, &(struct stat_options){ 0 });
 *	... (a producer writes into it)
 *	struct stat_table *st = stat_result(s);
 *
 * A row's time lasts from options.from to the last advance(); until its first
 * record the row holds VALUE_NONE. For rows of threads only the time counts
 * during which the thread lived, if a type shows that (struct stat_life); for
 * virtual CPUs only the time during which a thread ran there (struct
 * stat_virtual), and states of no duration do not count. So the times of a type
 * add up to the time that its rows lived.
 *
 * A value on a stack is entered when it is pushed, even on top of itself; it is
 * not entered again when the value above is popped, or its thread is shown
 * again.
 */
#ifndef WEFT_EXPORT_STAT_STAT_H
#define WEFT_EXPORT_STAT_STAT_H

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"
#include "export/stat/executions.h"
#include "export/stat/over.h"
#include "export/stat/slices.h"

/* The type that shows when a row's thread lives: while its value is neither
 * VALUE_NONE nor one of `dead`. */
struct stat_life {
	const char *key;
	int64_t dead[2];
};

/*
 * The types that show when a virtual CPU lives (a row of class "cpu" whose row
 * identity has no CPU number): while the first type is above 0, and while the
 * second shows that the thread that ran there is lost.
 */
struct stat_virtual {
	const char *running, *lost;
};

struct stat_options {
	int64_t from; /* earlier time is not counted */
	bool numbers; /* also count types that are not states */
	bool ids;     /* also count TYPE_ID values of CPU rows */
	int slices;   /* number of rows per class that have struct slices */
	/* The tasks whose executions are counted; NULL: none. */
	const struct stat_tasks *tasks;
	const struct stat_life *life; /* NULL: threads live from the beginning
	                               * to the end */
	const struct stat_virtual *virtual; /* NULL: treats virtual CPUs like
	                                     * other CPUs */
	size_t cells;    /* most cells in memory; 0: STAT_CELLS */
	const char *dir; /* directory of the spill file; NULL: /tmp */
};

/* The most cells in memory; more go into a file, so that a trace full of ids
 * does not exhaust memory. This many take 100 MB. */
#define STAT_CELLS (1u << 20)

/* The value of a virtual CPU while several threads run there. */
#define VALUE_CROWD (INT64_MIN + 2)

#define STAT_HINTS 32 /* a power of two */

/* One type of one row. */
struct stat_lane {
	uint32_t row, type;   /* indexes in struct stat_table */
	int64_t value, since; /* current value and its begin, while the trace is
	                       * read */
	int64_t shown;        /* the value without VALUE_CROWD */
	bool restored;        /* VALUE_CROWD has just ended; a record may
	                       * follow */
	int64_t lived_since;  /* how long the row had lived at `since` */
	uint64_t entries; /* how often the value was entered from `since` on */
	VEC(int64_t)
	stack; /* values shown per stack level; VALUE_NONE:
	        * not shown yet */
	VEC(struct stat_cell) cells;
	/* Guesses the index of a value's cell by its last bits: most values of
	 * a lane come again and again. */
	uint8_t hint[STAT_HINTS];
	struct slices *slices; /* or NULL */
	struct map cell_of;    /* value -> index + 1 */
};

struct stat_row {
	const char *class, *name;
	int index;    /* position among the rows of its class */
	int input;    /* see sink_origin() */
	bool virtual; /* lives only while threads run there */
	bool running, crowded,
		lost;  /* flags of a virtual CPU, while the trace is read */
	bool alive;    /* the row is alive now, while the trace is read */
	int64_t since; /* time from which it has been alive, or not */
	int64_t lived; /* time lived until `since`; after stat_result(): all
	                * time lived */
};

struct stat_type {
	const char *class, *key, *title, *none;
	const bool *inputs; /* see struct type */
	int64_t number;
	enum type_kind kind;
	bool wanted;
	bool tells; /* the type tells about life, virtual CPUs or tasks */
	bool stack; /* its records have stacks */
	const struct stat_life *life;   /* NULL: the type does not show whether
	                                 * a thread lives */
	bool tells_running, tells_lost; /* the type tells whether a virtual CPU
	                                 * runs threads, or lost one */
	struct stat_role role;
	struct map labels; /* value -> text */
};

struct stat_table {
	int64_t duration; /* from options.from to the end */
	VEC(struct stat_row) rows;
	VEC(struct stat_type) types;
	VEC(struct stat_lane)
	lanes;                 /* lanes of wanted types, in order of
	                        * arrival */
	struct stat_over over; /* the cells of the lanes that are not in
	                        * memory */
};

/* Opens the sink. All memory is in the arena, except for the maps, which
 * sink_close() frees. */
struct sink *stat_open(struct arena *a, const struct stat_options *options);

/* Returns the sums up to the last advance(). Call it before sink_close(). If a
 * temporary file was needed and failed, over.file.err has the cause. */
struct stat_table *stat_result(struct sink *s);

/* Returns true if the row can have the type: it is of its class, and of a trace
 * that has it. */
static inline bool
stat_fits(const struct stat_table *t, int row, int type)
{
	const struct stat_row *r = &t->rows.at[row];
	const struct stat_type *of = &t->types.at[type];

	return strcmp(r->class, of->class) == 0 &&
		(of->inputs == NULL || of->inputs[r->input]);
}

/* Returns true if at most that many lanes and cells, and ids of tasks, have
 * been counted, all of them in memory. */
bool stat_is_small(const struct sink *s, size_t cells, size_t tasks);

/* For kept.c, which sets the sums of a sink that received rows and types but no
 * record: first the duration, with the number of rows, then the life of each
 * row, then each lane with its cells. Return false if the sink has no such row
 * or type, or if the cell has nothing but executions of tasks, which the sink
 * does not count. */
bool stat_put_duration(struct sink *s, int64_t duration, int nrows);
void stat_put_lived(struct sink *s, int row, int64_t lived, bool virtual);
bool stat_put_lane(struct sink *s, uint64_t row, uint64_t type);
bool stat_put_cell(struct sink *s, const struct stat_cell *cell);

/* Returns the label of a value, or NULL. */
const char *stat_label(const struct stat_type *type, int64_t value);

#endif
