/* SPDX-License-Identifier: MIT */
/*
 * mem.h - what `weft mem` does, an action a function; views of a profile, a
 * table each.
 */
#ifndef WEFT_CLI_MEM_MEM_H
#define WEFT_CLI_MEM_MEM_H

#include <stdint.h>

#include "base/document.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/table.h"

struct arena;
struct profile;

enum mem_view {
	MEM_VIEW_VARIABLES,
	MEM_VIEW_CODE,
	MEM_VIEW_TREE,
	MEM_VIEW_FIRST_TOUCH,
	MEM_VIEW_LEAKS,
	MEM_VIEW_GROWTH,
	MEM_VIEW_PEAK,
	MEM_VIEW_HEAP,
	MEM_VIEW_ACCESSES,
};

#define MEM_VIEWS \
	"variables,code,tree,first-touch,leaks,growth,peak,heap,accesses"

enum mem_by { MEM_BY_VARIABLE, MEM_BY_RANK };

struct mem_options {
	int format;          /* enum table_format */
	int view;            /* enum mem_view */
	int by;              /* enum mem_by */
	const char *columns; /* or NULL */
	const char *event;   /* or NULL: the main one */
	int64_t min_bytes;   /* of variables; -1: not said */
	int64_t top;         /* rows; 0: all */
	int64_t rank;        /* of MPI: of this one alone; -1: of all */
};

/* What is told about the rows. */
struct mem_said {
	VEC(const char *) note;
	bool has_object; /* of JSON: it is begun, and its rows are there */
	struct doc json;
};

/* What the functions of a view work on. */
struct mem_report {
	struct profile *profile;
	struct arena *arena;
	const struct mem_options *options;
	int event; /* whose costs are shown, -1: none was measured */
	/* By variable: callers that are named, and which of how many calls that
	 * read alike. */
	struct mem_told {
		int callers, number, of;
	} * told;
	struct mem_said *said;
};

/* Fills in told: after the profile was opened, before a view. */
void mem_tell_apart(struct mem_report *r);

/* Prints the samples of a file of `perf record`, as perf script would. */
enum exit_code mem_dump_perf(struct arena *a, const char *path);

/* Prints the records of a file of a measurement. */
enum exit_code mem_dump_file(struct arena *a, const char *path);

/* Prints the static variables of an ELF file. */
enum exit_code mem_bounds(
	struct arena *a, const char *path, const struct mem_options *o);

/* Prints a measurement. */
enum exit_code mem_report(
	struct arena *a, const char *path, const struct mem_options *o);

/* One view each. False with err: what was asked for is not there. */
bool mem_variables(const struct mem_report *r, struct err *err);
bool mem_accesses(const struct mem_report *r, struct err *err);
bool mem_code(const struct mem_report *r, struct err *err);
bool mem_tree(const struct mem_report *r, struct err *err);
bool mem_first_touch(const struct mem_report *r, struct err *err);
bool mem_blocks(const struct mem_report *r, struct err *err);
bool mem_heap(const struct mem_report *r, struct err *err);

/* A row a rank. */
bool mem_by_rank(const struct mem_report *r, struct err *err);

/* An empty table of a view. */
struct table mem_table(
	const struct mem_report *r, const struct table_column *columns, int n);

/* A table; in a text, also that it has no rows; in JSON, what was measured
 * before it. */
void mem_print(const struct mem_report *r, struct table *t);

/* What was measured, and by what: before a text, and beside CSV. */
void mem_summary(const struct mem_report *r);

/* The object of JSON, up to the end of its rows, and what follows them. */
void mem_json_begin(const struct mem_report *r, struct table *t);
void mem_json_end(const struct mem_report *r);

/* What was not measured, and what to change: a text behind the table, a part of
 * the object of JSON, or else notes. True if something is damaged. */
bool mem_missing(const struct mem_report *r);

/* What was lost, a kind; how much: its count. NULL: nothing was. */
const char *mem_loss(const struct mem_report *r, int kind, uint64_t *count);

/* What to call samples that name what the files do not have. */
const char *mem_unresolved(const struct mem_report *r);

/* How sure shares are, in points of one of 20 %, and of how many samples.
 * False: they are exact, or there are none. */
bool mem_precision(
	const struct mem_report *r, uint64_t *samples, double *points);

/* CPU time of threads that have no sample, ns, and how many they are. */
uint64_t mem_silent(const struct mem_report *r, int *threads);

/* 0 of nothing. */
double mem_percent(uint64_t part, uint64_t all);

/* "file.c:12", or the module where that is not known; whole: with folders. */
const char *mem_where(
	const struct mem_report *r, uint32_t place, bool is_whole);

/* The name, or in a text its begin and end where it is very long; of
 * templates, without their arguments. */
const char *mem_short(const struct mem_report *r, const char *name);

/* "block of build", "table", ... */
const char *mem_variable_name(const struct mem_report *r, uint32_t variable);

/* Where a variable is declared; of a block, the statement that allocated it and
 * the one that called its function: "make.c:21 from main.c:60", with as many
 * callers as it takes to tell it from the others. */
const char *mem_origin(const struct mem_report *r, uint32_t variable);

/* "heap", "static"; of small blocks "heap, estimated", or "heap, mixed", where
 * that is how most of its cost came there. */
const char *mem_kind(const struct mem_report *r, uint32_t variable);

/* Both: "block of build (make.c:21 from main.c:60)". */
const char *mem_variable_site(const struct mem_report *r, uint32_t variable);

/* What 100 % of a share are: all that touched memory, or may have. */
uint64_t mem_whole(const struct mem_report *r);

bool mem_is_time(const struct mem_report *r);

/* Is the view one of blocks, whatever touched them: leaks, growth... */
bool mem_is_of_blocks(const struct mem_report *r);

/* The costs of the event in the unit of people: ms, or as it is. */
double mem_cost(const struct mem_report *r, uint64_t periods);
const char *mem_cost_name(const struct mem_report *r);

#endif
