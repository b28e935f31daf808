/* SPDX-License-Identifier: MIT */
/*
 * kept.h - the sums of a stat sink as bytes, which an index keeps, so that the
 * trace need not be emulated again.
 *
 * While an index is built, a sink counts beside it:
 *
 *	struct sink_bytes kept = { 0 };
 *	setup.totals = &kept;
 *	s = kept_beside(&arena, &stat_options, index, &kept);
 *	... (a producer writes into it)
 *	ok = sink_close(s, &err);
 *
 * Later another stat sink gets the same rows, types and labels, but no records:
 *
 *	if (!kept_restore(stat, bytes, n)) ... (emulate)
 *	table = stat_result(stat);
 *
 * The bytes are not trusted. All numbers are varints (base 128, low bits
 * first): the duration; the number of rows, and for each how long it lived,
 * times 2, plus 1 for a virtual CPU; the number of lanes, and for each its row,
 * its type and its cells: their number, and for each the value (zigzag), the
 * time, how often it was entered, and the executions.
 */
#ifndef WEFT_EXPORT_STAT_KEPT_H
#define WEFT_EXPORT_STAT_KEPT_H

#include "export/sink.h"

struct stat_options;

/*
 * Opens a sink that passes every call on to `next`, and counts. Closing it
 * first sets *to, then closes `next`. The bytes live in the arena. If they
 * would take much memory, counting stops and *to stays empty.
 */
struct sink *kept_beside(struct arena *a, const struct stat_options *options,
	struct sink *next, struct sink_bytes *to);

/* Sets the sums of a stat sink that has received rows, types and labels but no
 * record. Returns false if the bytes do not fit them; the sink must then be
 * closed. */
bool kept_restore(struct sink *stat, const void *bytes, size_t n);

#endif
