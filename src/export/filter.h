/* SPDX-License-Identifier: MIT */
/*
 * filter.h - a sink in front of another sink that passes on a part of the
 * timeline: a window of time, some rows, some types.
 *
 *	struct filter_options o = { .from = 1000, .to = 5000 };
 *	struct sink *s = filter_open(&arena, next, &o);
 *	... (a producer writes into it)
 *	ok = sink_close(s, &err);
 *
 * Times are not shifted. The value that a row has when the window begins is
 * written at `from`, with its stack, unless a record at `from` replaces it; a
 * record at `to` is left out. So the states inside the window are the same as
 * without a filter. Rows and types that are left out never appear: `next` sees
 * ids that count from 0 without gaps, and a row's parent is its nearest
 * ancestor that is kept. A link passes if both its ends do; others count as a
 * loss. A panel passes if all its types do.
 */
#ifndef WEFT_EXPORT_FILTER_H
#define WEFT_EXPORT_FILTER_H

#include "export/sink.h"

#define FILTER_END INT64_MAX /* no upper limit */

struct filter_options {
	int64_t from, to; /* [from, to), in the unit of the trace; if from >=
	                   * to, nothing passes */
	/* Return true to keep the row or type; called once for each, in the
	 * order of their ids. NULL: keep all. */
	bool (*keep_row)(void *arg, const struct row *row);
	bool (*keep_type)(void *arg, const struct type *type);
	void *arg; /* for both functions */
};

/*
 * Opens a filter in front of `next`, and closes `next` when the filter is
 * closed. The last time that `next` is advanced to is `to`, or the end of the
 * trace if that is earlier.
 */
struct sink *filter_open(
	struct arena *a, struct sink *next, const struct filter_options *o);

#endif
