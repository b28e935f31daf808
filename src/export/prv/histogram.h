/* SPDX-License-Identifier: MIT */
/*
 * histogram.h - Paraver's tables of a view: a line per row, and a column per
 * state or per range of durations.
 */
#ifndef WEFT_EXPORT_PRV_HISTOGRAM_H
#define WEFT_EXPORT_PRV_HISTOGRAM_H

#include "export/prv/cfg_window.h"

/* Writes a table of the time in each state. Window 1 shows the states, 1 to
 * `most`. */
void prv_histogram_states(struct outfile *f, const char *title, int64_t most);

/* Writes a table of how many states last how long. w is a single window that
 * shows the states. Writes windows 1 to 3, of which window 3 has durations as
 * values, and the table. */
#define PRV_DURATION_WINDOWS 3
void prv_histogram_durations(
	struct outfile *f, struct arena *a, const struct prv_window *w);

#endif
