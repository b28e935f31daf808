/* SPDX-License-Identifier: MIT */
/*
 * roots.h - checks whether the streams below a path belong to one trace.
 *
 * A format stores its streams below the root of a trace: libovni writes
 * ROOT/loom.X/proc.P/thread.T. Streams with different roots come from different
 * executions, whose times cannot be compared:
 *
 *	a/loom.n/proc.1/thread.1, b/loom.n/proc.1/thread.1	a and b
 *
 * Streams that do not fit the layout have no root, and are accepted with any.
 */
#ifndef WEFT_TRACE_ROOTS_H
#define WEFT_TRACE_ROOTS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* Levels of directories below a path in which traces are searched for. The
 * formats need 4, so a user may name a directory two levels above the trace. */
#define ROOTS_DEPTH 6

#define ROOTS_LISTED 4 /* roots named in the error */

struct roots {
	struct arena *arena;        /* keeps the roots */
	const char *const *layouts; /* patterns for the end of a directory's
	                             * path; NULL ends */
	const char *root[ROOTS_LISTED];
	int n; /* number of different roots; above ROOTS_LISTED: not all are
	        * listed */
};

/* Records the root of a stream in this directory, relative to the path. */
void roots_add(struct roots *r, const char *folder);

/* Returns true if the directory fits a layout. */
bool roots_fits(const struct roots *r, const char *folder);

/* Returns false with err, which lists the roots, if there are several. `hint`
 * proposes an alternative to naming one of them, or is "". */
bool roots_check(const struct roots *r, const char *path, const char *hint,
	struct err *err);

#endif
