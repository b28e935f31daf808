/* SPDX-License-Identifier: MIT */
/* clocks.h - the table of clocks of a trace in the ovni format. */
#ifndef WEFT_TRACE_OBS_CLOCKS_H
#define WEFT_TRACE_OBS_CLOCKS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;
struct source_options;
struct trace;

/* Returns the table that the user chose, or else that in the directory of the
 * trace; NULL: none. */
const char *obs_clocks_find(struct arena *a,
	const struct source_options *options, const char *root);

/* Corrects the clocks of the nodes; without a table, those of one machine
 * agree. Returns false with err if the table cannot be read. */
bool obs_clocks_read(
	struct trace *t, const char *table, const char *root, struct err *err);

#endif
