/* SPDX-License-Identifier: MIT */
/*
 * report.h - the viewer's page with its data in one file, for who has neither
 * the trace nor a server.
 *
 * The data is answers of the server's routes, asked beforehand, under their
 * names: "0/meta", "0/tile?type=3&w=4096&i=0&q=15&rows=r0-7"; the page finds
 * them there. What comes first is in it first, until the file is full: names,
 * tables, an overview of every type of states, the marked ranges, other
 * widths of columns. What has no room is left out in whole pieces, and counted.
 */
#ifndef WEFT_SERVE_REPORT_H
#define WEFT_SERVE_REPORT_H

#include "serve/report_options.h"

struct arena;
struct outfile;

/* Writes the file; what is made is in the arena. False with err; what the file
 * itself cannot take, its close says. */
bool report_write(const struct report_options *o, struct arena *a,
	struct outfile *to, struct report_made *made, struct err *err);

#endif
