/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the table of clock offsets between hosts (clock-offsets.txt), and
 * when the streams of a host begin.
 *
 * One header line that is skipped, then five columns: rank, host name, median,
 * mean and standard deviation of the offset in ns. The median, cut to an
 * integer, is added to every clock of the nodes whose host has that name.
 */
#ifndef WEFT_TRACE_CLOCK_H
#define WEFT_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct trace;

/*
 * Reads the table and sets clock_offset of the nodes. What is wrong with a
 * line is a finding of the file, and the line is left out. False with err only
 * when the file cannot be read.
 */
bool clock_read(struct trace *t, const char *path, struct err *err);

/* The one in the middle, the earlier of two; n > 0. Sorts the times. */
int64_t clock_middle(int64_t *time, int n);

/* True if two times are so far apart that one of them is damaged: 30 days. */
bool clock_is_away(int64_t a, int64_t b);

#endif
