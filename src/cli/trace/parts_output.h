/* SPDX-License-Identifier: MIT */
/* parts_output.h - the output that several processes write (parts.h). */
#ifndef WEFT_CLI_TRACE_PARTS_OUTPUT_H
#define WEFT_CLI_TRACE_PARTS_OUTPUT_H

#include <stdbool.h>

struct err;
struct sink;
struct sink_setup;

/* Opens the output in a directory: formats, filters, all that stands between
 * them and the records. */
typedef struct sink *parts_open_fn(void *arg, const char *dir,
	const struct sink_setup *setup, struct err *err);

struct parts_output {
	const char *dir; /* where the output is to be */
	const struct sink_setup *setup;
	parts_open_fn *open;
	void *arg;
	bool by_one; /* one process writes all */
};

#endif
