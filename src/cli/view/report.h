/* SPDX-License-Identifier: MIT */
/*
 * report.h - weft view --report: writes the page with its data into one file.
 */
#ifndef WEFT_CLI_VIEW_REPORT_H
#define WEFT_CLI_VIEW_REPORT_H

#include "cli/view/view.h"
#include "serve/report.h"

struct view_report {
	const char *path;      /* name of the file; NULL: no report */
	int64_t megabytes;     /* largest size of the file, in MB */
	bool anonymous;        /* leave out hosts, users, absolute paths */
	const char *shared;    /* view_shared_options() */
	const char *from, *to; /* the marked range, as given; or NULL */
};

/* Writes the report of n open traces, and prints what it holds. */
enum exit_code view_report(
	const struct view_report *q, struct view_trace *t, int n);

/* Returns what weft stat prints for a window; from and to are texts as --from
 * and --to take them, or NULL. Returns false with err on failure. */
bool view_tables(struct view_trace *t, const char *from, const char *to,
	struct report_range *out, struct err *err);

#endif
