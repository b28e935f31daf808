/* SPDX-License-Identifier: MIT */
/*
 * report.h - weft view --report: the page with its data in one file.
 */
#ifndef WEFT_CLI_VIEW_REPORT_H
#define WEFT_CLI_VIEW_REPORT_H

#include "cli/view/view.h"
#include "serve/report.h"

struct view_report {
	const char *path;      /* of the file; NULL: there is to be none */
	int64_t megabytes;     /* at most */
	bool anonymous;        /* leave out hosts, users, absolute paths */
	const char *from, *to; /* the marked range, as given; or NULL */
};

/* Writes the report of n open traces, and prints what it holds. */
enum exit_code view_report(
	const struct view_report *q, struct view_trace *t, int n);

/* What weft stat prints of a window; from and to are as --from and --to take
 * them, or NULL. False with err. */
bool view_tables(struct view_trace *t, const char *from, const char *to,
	struct report_range *out, struct err *err);

#endif
