/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - Paraver's tables of a view: a line for each row, a column for
 * each state, or for each range of durations.
 */
#ifndef WEFT_EXPORT_PRV_HISTOGRAM_H
#define WEFT_EXPORT_PRV_HISTOGRAM_H

#include "export/prv/window.h"

/* Time in each state. Window 1 shows the states, which go from 1 to `most`. */
void prv_histogram_states(struct outfile *f, const char *title, int64_t most);

/* How many states last how long: a single window of theirs is w. Writes
 * windows 1 to 3, the last of which has durations as values, and the table. */
#define PRV_DURATION_WINDOWS 3
void prv_histogram_durations(
	struct outfile *f, struct arena *a, const struct prv_window *w);

#endif
