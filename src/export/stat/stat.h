/* SPDX-License-Identifier: MIT */
/*
 * stat.h - how long each row had each value: a sink that adds up.
 *
 *	struct sink *s = stat_open(&arena, &(struct stat_options){ 0 });
 *	...                                   (a producer writes into it)
 *	const struct stat_table *st = stat_result(s);
 *
 * A row's time runs from options.from to the last advance(); until its first
 * record it holds nothing. So the times of a type add up to rows x duration.
 */
#ifndef WEFT_EXPORT_STAT_STAT_H
#define WEFT_EXPORT_STAT_STAT_H

#include "base/map.h"
#include "base/vec.h"
#include "export/sink.h"
#include "export/stat/runs.h"
#include "export/stat/slices.h"

struct stat_options {
	int64_t from; /* the time before is not counted */
	bool numbers; /* also types that are no states */
	int slices;   /* so many rows of each class have struct slices */
	/* Executions of these tasks are counted; NULL: of none. */
	const struct stat_tasks *tasks;
};

/* Values beyond this many of one row and type are added up as VALUE_OTHER, so
 * that a trace full of ids does not fill the memory. */
#define STAT_MAX_VALUES 4096
#define VALUE_OTHER (INT64_MIN + 1)

/* Time of one value. */
struct stat_cell {
	int64_t value;  /* or VALUE_NONE, or VALUE_OTHER */
	int64_t time;   /* in the unit of the setup */
	uint64_t times; /* how often it was entered */
	uint64_t runs;  /* executions of tasks of this type */
};

/* One row looked at through one type. */
struct stat_lane {
	uint32_t row, type;   /* indexes below */
	int64_t value, since; /* while the run goes on */
	struct map cell_of;   /* value -> index + 1 */
	VEC(struct stat_cell) cells;
	struct slices *slices; /* or NULL */
};

struct stat_row {
	const char *class, *name;
	int index; /* among the rows of its class */
};

struct stat_type {
	const char *class, *key, *title, *none;
	int64_t number;
	bool wanted;
	struct stat_role role;
	struct map labels; /* value -> text */
};

struct stat_table {
	int64_t duration; /* from options.from to the end */
	VEC(struct stat_row) rows;
	VEC(struct stat_type) types;
	VEC(struct stat_lane) lanes; /* of wanted types; in order of arrival */
};

/* Everything lives in the arena, but the maps: sink_close() frees those. */
struct sink *stat_open(struct arena *a, const struct stat_options *options);

/* What was added up until the last advance(). Before close. */
const struct stat_table *stat_result(struct sink *s);

/* The label of a value, or NULL. */
const char *stat_label(const struct stat_type *type, int64_t value);

#endif
