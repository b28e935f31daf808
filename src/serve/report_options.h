/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - of what a report is to be, and what became of it.
 */
#ifndef WEFT_SERVE_REPORT_OPTIONS_H
#define WEFT_SERVE_REPORT_OPTIONS_H

#include "serve/serve.h"

/* What weft stat --json prints. */
enum report_stat {
	REPORT_STAT,        /* without options */
	REPORT_STAT_ALL,    /* of all types */
	REPORT_STAT_THREAD, /* by thread */
	REPORT_STAT_CPU,    /* by CPU */
	REPORT_STAT_CPUS,   /* of all CPUs together */
	REPORT_STATS,
};

#define REPORT_TABLE_ROWS 1000 /* beyond, there are no tables by row */

/* A window of time with its tables; NULL: there is none of that kind. */
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
	int64_t most;   /* bytes of the whole file */
	bool anonymous; /* leave out hosts, users, absolute paths */
	/* Names to leave out besides the hosts of the traces; or NULL. */
	const char *host, *user;
};

/* What the file holds of a trace. */
struct report_held {
	int timelines;          /* types in its overview */
	int64_t columns, width; /* of the overview */
	int64_t rows, all_rows;
};

struct report_made {
	struct report_held *held; /* of each trace */
	const char *left;         /* out for space: "2 timelines", or "" */
};

#endif
