/* SPDX-License-Identifier: MIT */
/*
 * stat_print.h - statistics as tables for people, and as CSV and JSON for
 * programs.
 *
 * A report walks the types that have something to show, and for each prints
 * one table over all rows of a class, or one a row. In CSV and JSON all times
 * are integers in the trace's unit, which ends their names, every line has the
 * same columns, and what has no value (nothing, or several values added up) is
 * empty or null.
 */
#ifndef WEFT_CLI_TRACE_STAT_PRINT_H
#define WEFT_CLI_TRACE_STAT_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/table.h"
#include "export/stat/lines.h"
#include "export/stat/stat.h"

struct arena;
struct doc;

enum stat_by {
	BY_STATE,  /* all rows together, each value a line */
	BY_THREAD, /* each thread apart */
	BY_CPU,
	BY_LABEL, /* all rows together, each label a line */
	BY_TYPE,  /* the types of tasks */
};

struct stat_report {
	struct arena *arena;      /* borrowed */
	struct stat_table *table; /* borrowed */
	enum stat_by by;
	const char *class;  /* of the rows: "thread", "cpu" */
	const char *types;  /* that the user asked for, with commas; or NULL */
	const char *models; /* likewise */
	bool chosen;        /* the user said which types */
	bool chart;         /* it is for a chart */
	bool any_class;     /* the user did not say which rows */
	VEC(int) type;      /* those that are shown, in their order */
	const char *unit;   /* of all times: "ns" or "ps" */
	int64_t from;       /* where the time that is counted begins */
	struct stat_order order;
};

/* The longest label of a task type, and its end. */
#define STAT_LABEL_ROOM 520

/* The label of a line for people, without control characters. */
const char *stat_print_label(
	const struct stat_line *line, char to[STAT_LABEL_ROOM]);

/*
 * Chooses the types that the report shows: those with states, of the class.
 * If any class will do, types that only rows of another show are added: those
 * that were asked for, or all if the class shows none.
 * Types of runtimes come before those of the core, which say less. If there is
 * nothing but those, what CPUs say of threads comes first.
 */
void stat_report_choose(struct stat_report *r);

/* A type that was asked for and that only rows of another class show, when no
 * type is chosen; or NULL. */
const struct stat_type *stat_report_elsewhere(const struct stat_report *r);

/* The index of the n-th type (from 0) that was chosen, or -1. */
int stat_report_type(const struct stat_report *r, int n);

/* The lines of a type: of all rows together (row: -1), or of one. */
struct stat_lines stat_report_lines(
	const struct stat_report *r, int type, int row);

/* True if the row has a table of the type: it had a record, or it lived and
 * showed nothing. */
bool stat_report_has(const struct stat_report *r, int type, int row);

/* What the shares of these lines are of: the time that the rows lived, or of
 * tasks the time in any. */
int64_t stat_report_whole(
	const struct stat_report *r, const struct stat_lines *l);

/* How many rows of the type's class there are, without virtual CPUs on which
 * no thread ran. */
int stat_report_rows(const struct stat_report *r, int type);

/* How many of them are virtual CPUs. */
int stat_report_virtual(const struct stat_report *r, int type);

/* The same for people: "33 threads", "2 CPUs + 1 virtual", "24 rows". */
const char *stat_report_rows_text(const struct stat_report *r, int type);

/* False if there was nothing to print. */
bool stat_print_text(const struct stat_report *r);

/* As CSV or JSON, into an open document. */
void stat_print_document(
	const struct stat_report *r, enum table_format format, struct doc *doc);

/* On standard output; false if that failed. */
bool stat_print_data(const struct stat_report *r, enum table_format format);

#endif
