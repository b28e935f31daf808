/* SPDX-License-Identifier: MIT */
/*
 * stat_print.h - statistics as tables for people, and as CSV and JSON for
 * programs.
 *
 * A report walks the types that have something to show. For each type it prints
 * one table over all rows of a class, or one table for each row. In CSV and
 * JSON every time is an integer in the trace's unit, with the unit at the end
 * of its name; every line has the same columns; a cell without a value (no
 * state, or several values added up) is empty or null.
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
	BY_STATE,  /* all rows together, a line for each value */
	BY_THREAD, /* each thread separately */
	BY_CPU,
	BY_LABEL, /* all rows together, a line for each label */
	BY_TYPE,  /* a line for each type of tasks */
};

struct stat_report {
	struct arena *arena;      /* borrowed */
	struct stat_table *table; /* borrowed */
	enum stat_by by;
	const char *class; /* class of the rows: "thread", "cpu" */
	const char *types; /* types that the user chose, with commas; or NULL */
	/* Models that the user chose, with commas; or NULL. */
	const char *models;
	bool chosen;      /* the user chose types */
	bool chart;       /* the report is for a chart */
	bool any_class;   /* the user did not choose a class of rows */
	VEC(int) type;    /* the types that are shown, in this order */
	const char *unit; /* unit of all times: "ns" or "ps" */
	int64_t from;     /* the beginning of the window */
	struct stat_order order;
};

/* Bytes of the longest label of a task type, with its terminating 0. */
#define STAT_LABEL_ROOM 520

/* Returns the label of a line for people, without control characters. */
const char *stat_print_label(
	const struct stat_line *line, char to[STAT_LABEL_ROOM]);

/*
 * Chooses the types to show: the types of the class that have states. If the
 * user chose no class, types that only rows of another class show are added:
 * the types that the user asked for, or all types if the class shows none; of
 * several traces, the types of those of which the class shows none.
 * Types of runtimes come before types of the core, which say less. If only core
 * types have states, the threads that each CPU ran come first.
 */
void stat_report_choose(struct stat_report *r);

/* Returns a type that the user asked for and that only rows of another class
 * show, if no type was chosen; else NULL. */
const struct stat_type *stat_report_elsewhere(const struct stat_report *r);

/* Returns the index of the n-th chosen type (from 0), or -1. */
int stat_report_type(const struct stat_report *r, int n);

/* Returns the lines of a type: of one row, or of all rows together if row is
 * -1. */
struct stat_lines stat_report_lines(
	const struct stat_report *r, int type, int row);

/* Returns true if the row has a table for the type: the row had a record, or it
 * lived and showed nothing. */
bool stat_report_has(const struct stat_report *r, int type, int row);

/* Returns the time that makes 100 % for these lines: the lifetimes of the rows
 * added up, or for tasks the time in any task. */
int64_t stat_report_whole(
	const struct stat_report *r, const struct stat_lines *l);

/* Returns the number of rows in the type's class, without virtual CPUs on which
 * no thread ran. */
int stat_report_rows(const struct stat_report *r, int type);

/* Returns how many of these rows are virtual CPUs. */
int stat_report_virtual(const struct stat_report *r, int type);

/* Returns both numbers for people: "33 threads", "2 CPUs + 1 virtual", "24
 * rows". */
const char *stat_report_rows_text(const struct stat_report *r, int type);

/* Prints the report for people. Returns false if there was nothing to print. */
bool stat_print_text(const struct stat_report *r);

/* Prints the report as CSV or JSON into an open document. */
void stat_print_document(
	const struct stat_report *r, enum table_format format, struct doc *doc);

/* Prints the report as CSV or JSON on standard output. Returns false if writing
 * failed. */
bool stat_print_data(const struct stat_report *r, enum table_format format);

#endif
