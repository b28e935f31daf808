/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the table of clock offsets between hosts (clock-offsets.txt), and
 * helpers that compare clocks of streams.
 *
 * The table has a header line, which is skipped, and then five columns: rank,
 * host name, median, mean and standard deviation of the offset in ns. The
 * median, truncated to an integer, is added to every clock of the nodes whose
 * host has that name, or that name up to its first dot.
 */
#ifndef WEFT_TRACE_CLOCK_H
#define WEFT_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct trace;
struct trace_node;

/*
 * Reads the table, or one of weft sync (align/table.h), and sets clock_offset
 * and, from the latter, the lines of the nodes. An invalid line is reported as
 * a finding and ignored. Returns false with err only when the file cannot be
 * read.
 */
bool clock_read(struct trace *t, const char *path, struct err *err);

/* Return the corrected time of a clock of the node, and the clock of a
 * corrected time, both limited to what fits. For NULL they are equal. */
int64_t clock_time(const struct trace_node *n, int64_t clock);
int64_t clock_local(const struct trace_node *n, int64_t time);

/* Returns the median, of an even number the earlier one; n > 0. Sorts the
 * times. */
int64_t clock_middle(int64_t *time, int n);

/* Returns true if two times are so far apart (30 days) that one of them must be
 * damaged. */
bool clock_is_away(int64_t a, int64_t b);

#endif
