/* SPDX-License-Identifier: MIT */
/*
 * roots.h - are the streams below a path of one trace, or of several?
 *
 * A format lays its streams out below the root of a trace: libovni writes
 * ROOT/loom.X/proc.P/thread.T. What stands before that is the root, and two
 * roots are two runs, whose times have nothing to do with each other:
 *
 *	a/loom.n/proc.1/thread.1, b/loom.n/proc.1/thread.1	a and b
 *
 * Streams in any other place are nobody's, and go with all.
 */
#ifndef WEFT_TRACE_ROOTS_H
#define WEFT_TRACE_ROOTS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* Levels of folders below a path in which traces are searched for. The formats
 * need 4, so a user may name a folder two above the trace's own. */
#define ROOTS_DEPTH 6

#define ROOTS_LISTED 4 /* are named in the error */

struct roots {
	struct arena *arena;        /* of the roots */
	const char *const *layouts; /* patterns of folders, from their end;
	                               NULL ends */
	const char *root[ROOTS_LISTED];
	int n; /* different ones; more than ROOTS_LISTED: and others */
};

/* Notes the root of a stream whose folder, below the path, has this name. */
void roots_add(struct roots *r, const char *folder);

/* Is it laid out like that? */
bool roots_fits(const struct roots *r, const char *folder);

/* False with err, which names them, if there were several. `hint` tells what
 * else can be done than to give one of them, or is "". */
bool roots_check(const struct roots *r, const char *path, const char *hint,
	struct err *err);

#endif
