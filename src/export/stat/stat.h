/* SPDX-License-Identifier: MIT */
/*
 * stat.h - how long each row had each value: a sink that adds up.
 *
 *	struct sink *s = stat_open(&arena, &(struct stat_options){ 0 });
 *	...                                   (a producer writes into it)
 *	struct stat_table *st = stat_result(s);
 *
 * A row's time runs from options.from to the last advance(); until its first
 * record it holds nothing. Of rows of threads only the time counts that the
 * thread lived, if a type tells that (struct stat_life), and of virtual CPUs
 * only that in which a thread ran there (struct stat_virtual); of these, states
 * of no time do not count. So the times of a type add up to the time that its
 * rows lived.
 *
 * A value of a stack is entered when it is pushed, also on itself; when what
 * lay on it is popped, or its thread is shown again, it is not.
 */
#ifndef WEFT_EXPORT_STAT_STAT_H
#define WEFT_EXPORT_STAT_STAT_H

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"
#include "export/stat/over.h"
#include "export/stat/runs.h"
#include "export/stat/slices.h"

/* The type that tells when the thread of a row lives: whenever it shows a
 * value that is neither nothing nor one of these two. */
struct stat_life {
	const char *key;
	int64_t dead[2];
};

/*
 * The types that tell when a virtual CPU, a row of class "cpu" whose place has
 * no CPU, stands for a real one: while the first is above 0, and while what ran
 * there is lost, which the second shows.
 */
struct stat_virtual {
	const char *running, *lost;
};

struct stat_options {
	int64_t from; /* the time before is not counted */
	bool numbers; /* also types that are no states */
	bool ids;     /* also what the rows of CPUs show as TYPE_ID */
	int slices;   /* so many rows of each class have struct slices */
	/* Executions of these tasks are counted; NULL: of none. */
	const struct stat_tasks *tasks;
	const struct stat_life *life; /* NULL: threads live all the time */
	const struct stat_virtual *virtual; /* NULL: they are CPUs as others */
	size_t cells;                       /* in memory; 0: STAT_CELLS */
	const char *dir; /* where what is more goes; NULL: /tmp */
};

/* Cells beyond this many go into a file, so that a trace full of ids does not
 * fill the memory: these take 100 MB. */
#define STAT_CELLS (1u << 20)

/* What a virtual CPU shows while several threads run there. */
#define VALUE_CROWD (INT64_MIN + 2)

#define STAT_HINTS 16 /* a power of two */

/* One row looked at through one type. */
struct stat_lane {
	uint32_t row, type;   /* indexes below */
	int64_t value, since; /* while the run goes on */
	int64_t shown;        /* the value, but for VALUE_CROWD */
	bool restored;        /* when that ended; a record may follow */
	int64_t lived_since;  /* what the row had lived at `since` */
	uint64_t entries;     /* of the value since then */
	VEC(int64_t) stack;   /* what was shown of it; nothing: not yet */
	VEC(struct stat_cell) cells;
	/* Which of the first cells may be of a value, by its last bits: most
	 * values of a lane come again and again. */
	uint8_t hint[STAT_HINTS];
	struct slices *slices; /* or NULL */
	struct map cell_of;    /* value -> index + 1 */
};

struct stat_row {
	const char *class, *name;
	int index;    /* among the rows of its class */
	bool virtual; /* lives only while threads run there */
	bool running, crowded,
		lost;  /* of a virtual one, while the run goes on */
	bool alive;    /* while the run goes on */
	int64_t since; /* it is alive or not */
	int64_t lived; /* until `since`; after stat_result() in all */
};

struct stat_type {
	const char *class, *key, *title, *none;
	int64_t number;
	enum type_kind kind;
	bool wanted;
	bool tells;                     /* life, virtual CPUs or tasks */
	bool stack;                     /* values are entered as it grows */
	const struct stat_life *life;   /* NULL: it does not tell of life */
	bool tells_running, tells_lost; /* of virtual CPUs */
	struct stat_role role;
	struct map labels; /* value -> text */
};

struct stat_table {
	int64_t duration; /* from options.from to the end */
	VEC(struct stat_row) rows;
	VEC(struct stat_type) types;
	VEC(struct stat_lane) lanes; /* of wanted types; in order of arrival */
	struct stat_over over;       /* what lanes have beside their cells */
};

/* Everything lives in the arena, but the maps: sink_close() frees those. */
struct sink *stat_open(struct arena *a, const struct stat_options *options);

/* What was added up until the last advance(). Before close. If a temporary file
 * was needed and failed, over.file.err has the cause. */
struct stat_table *stat_result(struct sink *s);

/* The label of a value, or NULL. */
const char *stat_label(const struct stat_type *type, int64_t value);

#endif
