/* SPDX-License-Identifier: MIT */
/*
 * state.h - the state of a reader of a .prv file: which rows and types there
 * are (tables.c), and what the lines so far have left open (lines.c).
 */
#ifndef WEFT_EXPORT_PRV_IN_STATE_H
#define WEFT_EXPORT_PRV_IN_STATE_H

#include "base/heap.h"
#include "base/map.h"
#include "export/infile.h"
#include "export/prv_in/header.h"
#include "export/prv_in/labels.h"
#include "export/reader.h"

#define PRV_IN_NO_TYPE UINT32_MAX
#define PRV_IN_CACHE 256 /* types found last */

/* What is wrong with lines; each is reported a few times, then counted. */
enum prv_in_trouble {
	PRV_IN_UNKNOWN,   /* no line that Paraver knows */
	PRV_IN_FIELDS,    /* not the numbers that this line needs */
	PRV_IN_RANGE,     /* a number that does not fit */
	PRV_IN_NO_ROW,    /* a thread that the header does not have */
	PRV_IN_LATE,      /* a time after the end */
	PRV_IN_BACKWARDS, /* a state or link that ends before it begins */
	PRV_IN_TYPES,     /* too many types */
	PRV_IN_TROUBLES,
};

/* A row of the file. */
struct prv_in_row {
	int64_t state_end; /* end of its state, for the heap; -1: none */
	uint32_t cpu;      /* of the last line */
};

struct prv_in_found {
	int64_t number;
	uint32_t id;
	bool keeps_zero; /* 0 is a value, not "none" */
};

struct prv_in {
	struct reader base;
	struct arena *arena;              /* borrowed */
	const struct reader_setup *setup; /* borrowed */
	const char *class;
	struct infile in;
	struct prv_in_header header;
	struct prv_in_pcf pcf;
	struct prv_in_names names;
	bool reports_cpu; /* lines have CPUs that become records */

	/* Rows. */
	VEC(struct prv_in_row) rows; /* in order of their ids */
	uint32_t *first; /* id of the first row of each task; if rows are lazy,
	                  * NULL */
	struct map lazy; /* task and thread -> id + 1 */
	uint32_t nparents;
	bool is_declared;

	/* Types. */
	struct map type_of; /* number -> id + 1 */
	struct map zero_of; /* id -> 1 if 0 is a value */
	uint32_t ntypes, state_type, cpu_type;
	struct prv_in_found found[PRV_IN_CACHE];
	struct map tags; /* kinds of links that were declared */

	/* Lines. */
	struct sink *to;
	struct heap ends; /* ends of states: row by time */
	int64_t latest;   /* time of the latest record */
	uint64_t line;
	uint64_t counts[PRV_IN_TROUBLES], globals, comments, logical, link_cpus,
		communicators;
};

/* Makes the tables from header and labels; declares them to the sink. */
void prv_in_declare(struct prv_in *p, struct sink *to);

/* Returns the row of a thread of the file, all from 1, or ROW_NONE. */
uint32_t prv_in_row(
	struct prv_in *p, uint64_t appl, uint64_t task, uint64_t thread);

/* Finds a type, or declares it. Returns false if there are too many. */
bool prv_in_type(struct prv_in *p, int64_t number, struct prv_in_found *to);

/* Returns the id of the type of state lines, or of CPUs, declared now if it was
 * not. */
uint32_t prv_in_state_type(struct prv_in *p);
uint32_t prv_in_cpu_type(struct prv_in *p);

/* Declares the kind of links with that tag, once. */
void prv_in_tag(struct prv_in *p, int64_t tag);

/* Returns true if all lines are in the order of their times, as far as they can
 * be read. Reads the whole file. */
bool prv_in_is_sorted(struct prv_in *p);

/* Reads all lines into p->to. */
bool prv_in_lines(struct prv_in *p, struct err *err);

/* Reports one line, and at the end how many more there were. */
void prv_in_report(
	struct prv_in *p, enum prv_in_trouble trouble, uint64_t offset);
void prv_in_report_rest(struct prv_in *p);

/* Reports something about the whole file, or the file beside it. */
void prv_in_say(struct prv_in *p, enum severity severity, const char *file,
	const char *text);

#endif
