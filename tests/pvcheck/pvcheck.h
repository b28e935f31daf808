/* SPDX-License-Identifier: MIT */
/*
 * pvcheck.h - checks Paraver files by the rules of Paraver's own loader.
 *
 * The checker shares no code with the writer (src/export/prv): what it knows
 * of .prv, .pcf, .row and .cfg files is the loader's behaviour, as numbered
 * rules. Each complaint is a line "FILE:LINE: rule N: text":
 *
 *	 1 header of the .prv       14 type, level, operation of a window
 *	 2 row, CPU or node         15 syntax, count of a list of functions
 *	 3 a number                 16 name of a function
 *	 4 a time                   17 filter function
 *	 5 order of times           18 parents of a composed window
 *	 6 lines, but no record     19 filter counts
 *	 7 stack rule               20 titles in filters
 *	 8 counts of the .row       21 window_object
 *	 9 the .pcf                 22 palette item
 *	10 two types, one title     23 semantic module
 *	11 type without a title     24 histogram
 *	12 no window_type           25 unknown key
 *	13 value of a key
 */
#ifndef WEFT_TEST_PVCHECK_H
#define WEFT_TEST_PVCHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

enum rule {
	RULE_HEADER = 1,
	RULE_PLACE,
	RULE_NUMBER,
	RULE_TIME,
	RULE_ORDER,
	RULE_EMPTY,
	RULE_STACK,
	RULE_ROW,
	RULE_PCF,
	RULE_TITLES,
	RULE_UNTITLED,
	RULE_NO_TYPE,
	RULE_VALUE,
	RULE_WORD,
	RULE_LIST,
	RULE_NAME,
	RULE_FILTER,
	RULE_PARENTS,
	RULE_COUNT,
	RULE_LABEL,
	RULE_OBJECT,
	RULE_PALETTE,
	RULE_MODULE,
	RULE_HISTOGRAM,
	RULE_KEY,
	RULES
};

/* One run of the checker, and the line that it reads. */
struct check {
	struct arena arena;
	const char *file;
	int line;
	unsigned except; /* if bit N is set, rule N is not applied */
	bool original;   /* the files imitate the files of the original tools */
	bool quiet;      /* print no warnings */
	int said[RULES]; /* complaints about the current file, by rule */
	int errors, warnings, files;
};

/* Prints a complaint about the current line, but at most 5 for each rule and
 * file. */
void complain(struct check *c, enum rule rule, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void warn(struct check *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A file in memory, cut into lines: each ends with '\0'. */
struct text {
	char *at, *end;
	char *bytes; /* owned */
};

/* Reads a file and makes it the current one. Returns false if there is none. */
bool text_open(struct check *c, struct text *t, const char *path);
void text_close(struct text *t);

/* Returns the next line without its line break, or NULL at the end. */
char *text_line(struct check *c, struct text *t);

/* Reads a plain decimal number at *at and moves *at after it. Returns false if
 * there is none. */
bool text_number(const char **at, int64_t *n);

/* Returns whether the whole text is a decimal number from low to high. */
bool text_is_integer(const char *s, int64_t low, int64_t high);
bool text_is_real(const char *s);

struct pcf_label {
	int64_t value;
	const char *text;
};

struct pcf_type {
	int64_t number;
	const char *title;
	VEC(struct pcf_label) label;
};

struct prv_task {
	int nthreads, node;
	int first; /* index of its first thread among all threads */
	int appl;  /* counted from 1 */
};

/* A .prv with its .pcf and .row. */
struct timeline {
	bool has_prv, has_pcf;
	VEC(int) cpus; /* by node */
	int ncpus;
	VEC(struct prv_task) task;
	VEC(int) first_task; /* by application */
	int nthreads;
	int64_t end;        /* the end time in the header */
	uint64_t nrecords;  /* records that the loader accepts */
	struct map records; /* the types that have records */
	VEC(struct pcf_type) type;
	struct map by_number; /* by type: index + 1 */
};

/* Each function checks one file of the timeline; call them in this order. */
void prv_check(struct check *c, struct timeline *t, const char *path);
void pcf_check(struct check *c, struct timeline *t, const char *path);
void row_check(struct check *c, const struct timeline *t, const char *path);
void timeline_check(struct check *c, const struct timeline *t);

const struct pcf_type *timeline_type(const struct timeline *t, int64_t number);
const struct pcf_type *timeline_title(
	const struct timeline *t, const char *title);

/* Checks a view of that timeline, or a view alone if t has no .prv. */
void cfg_check(struct check *c, const struct timeline *t, const char *path);

#endif
