/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - what a report should contain, and what it did contain.
 */
#ifndef WEFT_SERVE_REPORT_OPTIONS_H
#define WEFT_SERVE_REPORT_OPTIONS_H

#include "serve/serve.h"

/* The output of weft stat --json. */
enum report_stat {
	REPORT_STAT,        /* weft stat without options */
	REPORT_STAT_ALL,    /* tables of all types */
	REPORT_STAT_THREAD, /* tables by thread */
	REPORT_STAT_CPU,    /* tables by CPU */
	REPORT_STAT_CPUS,   /* statistics of all CPUs together */
	REPORT_STATS,
};

#define REPORT_TABLE_ROWS \
	1000 /* if there are more rows, no tables by row are \
	      * made */

/* A window of time with its tables; NULL: there is no such table. */
struct report_range {
	int64_t from, to; /* from >= to: none */
	const char *stat[REPORT_STATS];
};

struct report_trace {
	struct serve_trace trace;
	struct report_range whole, marked;
};

struct report_options {
	const struct report_trace *trace;
	int ntraces;
	int64_t most;   /* limit of the whole file, in bytes */
	bool anonymous; /* leave out hosts, users, absolute paths */
};

/* The contents of the file for one trace. */
struct report_held {
	int timelines;          /* number of types in its overview */
	int64_t columns, width; /* number and width of the overview's columns */
	int64_t rows, all_rows;
};

struct report_made {
	struct report_held *held; /* what the file holds of each trace */
	bool for_space;   /* some things were left out for lack of space */
	const char *left; /* what was left out for lack of space: "2
	                   * timelines", or "" */
};

#endif
