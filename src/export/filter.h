/* SPDX-License-Identifier: MIT */
/*
 * filter.h - a sink in front of another one that lets a part through: a
 * window of time, some rows, some types.
 *
 *	struct filter_options o = { .from = 1000, .to = 5000 };
 *	struct sink *s = filter_open(&arena, next, &o);
 *	...                                   (a producer writes into it)
 *	ok = sink_close(s, &err);
 *
 * Times stay as they are. What a row held when the window begins is written at
 * `from`, with its stack, unless it changes at that very time; a change at
 * `to` is left out. So the states inside the window are those of the whole
 * trace. Rows and types that are left out never appear: ids behind the filter
 * count from 0 without gaps, and a row's parent is the nearest one that is
 * kept. A link goes through if both its ends do; the others are a loss. A
 * panel goes through if all its types do.
 */
#ifndef WEFT_EXPORT_FILTER_H
#define WEFT_EXPORT_FILTER_H

#include "export/sink.h"

#define FILTER_END INT64_MAX /* no upper border */

struct filter_options {
	int64_t from, to; /* [from, to), in the unit of the trace; from < to,
	                   * or nothing at all goes through */
	/* True if it goes through; asked once for each, in the order of their
	 * ids. NULL: all do. */
	bool (*keep_row)(void *arg, const struct row *row);
	bool (*keep_type)(void *arg, const struct type *type);
	void *arg; /* of both */
};

/*
 * Opens a filter in front of `next`, which it closes when it is closed. The
 * end that `next` is told is `to`, or the end of the trace if that is earlier.
 */
struct sink *filter_open(
	struct arena *a, struct sink *next, const struct filter_options *o);

#endif
