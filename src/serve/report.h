/* SPDX-License-Identifier: MIT */
/*
 * report.h - writes the viewer's page with its data into one file, for readers
 * who have neither the trace nor a server.
 *
 * The data is a set of answers of the server's routes, stored under their
 * names: "0/meta", "0/tile?type=3&w=4096&i=0&q=15&rows=r0-7". The page looks
 * its answers up there. Answers are added in the order of their importance
 * until the file is full: names, tables, an overview of every type of states,
 * the marked ranges, other widths of columns. A piece that does not fit is left
 * out as a whole, and counted.
 */
#ifndef WEFT_SERVE_REPORT_H
#define WEFT_SERVE_REPORT_H

#include "serve/report_options.h"

struct arena;
struct outfile;

/* Writes the file; its memory is in the arena. Returns false with err. Failures
 * of the file itself are reported when the caller closes it. */
bool report_write(const struct report_options *o, struct arena *a,
	struct outfile *to, struct report_made *made, struct err *err);

#endif
