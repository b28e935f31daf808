/* SPDX-License-Identifier: MIT */
/*
 * mem.h - the actions of `weft mem`, a function each, and the views of a
 * profile, a table each.
 */
#ifndef WEFT_CLI_MEM_MEM_H
#define WEFT_CLI_MEM_MEM_H

#include <stdint.h>

#include "base/document.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/table.h"

struct arena;
struct module;
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

enum mem_by { MEM_BY_VARIABLE, MEM_BY_RANK, MEM_BY_HOST };

struct mem_options {
	int format;          /* enum table_format */
	int view;            /* enum mem_view */
	int by;              /* enum mem_by */
	const char *columns; /* --columns, or NULL */
	const char *event;   /* --event, or NULL: the main event */
	int64_t min_bytes;   /* least size of variables; -1: not given */
	int64_t top;         /* lines; 0: all */
	int64_t rank;        /* only this MPI rank; -1: all */
	bool html;           /* format is then TABLE_TEXT */
	bool pprof;          /* the same */
	bool datacentric;    /* the only choice, so nothing depends on it */
	bool hot;            /* the tree shows its hot path only */
	const char *fold;    /* --fold: per cent, or NULL */
	const char *output;  /* --output, or NULL: standard output */
	const char *const *paths; /* all arguments */
	int n_paths;
	const char *structs[CMD_TEXTS + 1]; /* --struct, up to a NULL */
};

/* The notes about the table. */
struct mem_html;

struct mem_said {
	struct mem_html *html; /* NULL: no page */
	VEC(const char *) note;
	bool has_object; /* JSON: the object has been begun and its rows
	                  * written */
	struct doc json;
};

/* The state of a report; the functions of views read it. */
struct mem_report {
	struct profile *profile;
	struct arena *arena;
	const struct mem_options *options;
	int event; /* event whose costs are shown; -1: nothing was measured */
	/* By variable: the number of callers to name. Variables with equal
	 * texts are numbered as well: `number` of `of`. */
	struct mem_told {
		int callers, number, of;
		uint32_t name; /* number + 1 of its name; 0: none yet */
		bool has_key;
		uint32_t key; /* number of the text with these callers */
	} * told;
	struct mem_said *said;
};

/* Fills in told: chooses the callers to name. Call it after opening the
 * profile, before a view. */
void mem_tell_apart(struct mem_report *r);

/* Prints the samples of a file of `perf record` in the format of perf
 * script. */
enum exit_code mem_dump_perf(struct arena *a, const char *path);

/* Prints the records of a file of a measurement. */
enum exit_code mem_dump_file(struct arena *a, const char *path);

/* Prints the static variables of an ELF file. */
enum exit_code mem_bounds(
	struct arena *a, const char *path, const struct mem_options *o);

/* Writes the structure of an ELF file as XML. */
enum exit_code mem_struct(
	struct arena *a, const char *path, const struct mem_options *o);

/* Warns of what is wrong with a file's debug information. Returns true if
 * something is. */
bool mem_say_defects(const struct module *m);

/* Runs a command that links a static program, with the recorder added. argv
 * ends with NULL. Returns the command's exit code. */
enum exit_code mem_link(struct arena *a, char *const argv[]);

/* Merges measurements into a database. */
enum exit_code mem_merge(
	struct arena *a, const char *path, const struct mem_options *o);

/* Prints how two measurements differ. */
enum exit_code mem_diff(
	struct arena *a, const char *path, const struct mem_options *o);

/* Prints a measurement. */
enum exit_code mem_report(
	struct arena *a, const char *path, const struct mem_options *o);

/* Print one view each. Return false and set err if the profile lacks what the
 * view shows. */
bool mem_variables(const struct mem_report *r, struct err *err);
bool mem_accesses(const struct mem_report *r, struct err *err);
bool mem_code(const struct mem_report *r, struct err *err);
bool mem_tree(const struct mem_report *r, struct err *err);
bool mem_first_touch(const struct mem_report *r, struct err *err);
bool mem_blocks(const struct mem_report *r, struct err *err);
bool mem_heap(const struct mem_report *r, struct err *err);

struct database_row;

/* Adds the costs of a process of a database to those of its rank or host; the
 * argument is the report. */
void mem_add_costs(
	void *arg, int process, const struct database_row *row, int n);

/* Prints a line for each MPI rank, or for each host. */
bool mem_by_rank(const struct mem_report *r, struct err *err);

/* Returns an empty table for a view. */
struct table mem_table(
	const struct mem_report *r, const struct table_column *columns, int n);

/* Prints the table. Text also says if there are no lines; JSON begins with the
 * summary of the measurement. */
void mem_print(const struct mem_report *r, struct table *t);

/* Passes on each line of the summary. */
void mem_summary_lines(const struct mem_report *r,
	void (*line)(void *arg, const char *text), void *arg);

/* Prints the summary of the measurement: above text, on standard error with
 * CSV. */
void mem_summary(const struct mem_report *r);

/* Write the JSON object up to the end of its rows, and the rest of the object.
 */
void mem_json_begin(const struct mem_report *r, struct table *t);
void mem_json_end(const struct mem_report *r);

/* Reports what was not measured and how to measure it: in text below the table,
 * in JSON as a member of the object, with CSV as notes. Returns true if the
 * measurement is damaged. */
bool mem_missing(const struct mem_report *r);

/* Returns the name of a kind of loss and its count, or NULL if nothing was
 * lost. */
const char *mem_loss(const struct mem_report *r, int kind, uint64_t *count);

/* Returns the text for samples that name missing records. */
const char *mem_unresolved(const struct mem_report *r);

/* Computes how precise shares are: a share of 20 % is within *points points,
 * based on *samples samples. Returns false if shares are exact or there are
 * none. */
bool mem_precision(
	const struct mem_report *r, uint64_t *samples, double *points);

/* Returns the CPU time, in ns, of threads without a sample, and their
 * number. */
uint64_t mem_silent(const struct mem_report *r, int *threads);

/* Returns `part` in per cent of `all`, or 0 if `all` is 0. */
double mem_percent(uint64_t part, uint64_t all);

/* Returns "file.c:12", or the module if the line is unknown. is_whole: with
 * directories. */
const char *mem_where(
	const struct mem_report *r, uint32_t location, bool is_whole);

/* Returns the name, without the arguments of templates. Text shows only the
 * beginning and the end of a very long name. */
const char *mem_short(const struct mem_report *r, const char *name);

/* Returns the name of a variable: "block of build", "table", ... */
const char *mem_variable_name(const struct mem_report *r, uint32_t variable);

/* Returns where a variable is declared. For a block: the statement that
 * allocated it, the call of its function, and as many callers as distinguish
 * the block from others: "make.c:21 from main.c:60". */
const char *mem_origin(const struct mem_report *r, uint32_t variable);

/* Returns "heap", "static"; for small blocks "heap, estimated" or "heap, mixed"
 * if most of its cost was charged by estimate. */
const char *mem_kind(const struct mem_report *r, uint32_t variable);

/* Returns both name and origin: "block of build (make.c:21 from main.c:60)". */
const char *mem_variable_site(const struct mem_report *r, uint32_t variable);

/* Returns the cost that counts as 100 %: the cost of all samples that touched
 * memory or may have touched it. */
uint64_t mem_whole(const struct mem_report *r);

bool mem_is_time(const struct mem_report *r);

/* Returns true for views of blocks regardless of accesses: leaks, growth... */
bool mem_is_of_blocks(const struct mem_report *r);

/* Return a cost in the unit that people read (ms, or unchanged), and the name
 * of its column. */
double mem_cost(const struct mem_report *r, uint64_t periods);
const char *mem_cost_name(const struct mem_report *r);

#endif
