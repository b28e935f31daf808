/* SPDX-License-Identifier: MIT */
/*
 * chart.h - statistics drawn with characters, for terminals without graphics.
 *
 * The upper part is a timeline: each row is a line, time runs from left to
 * right, and a cell shows the state that took most of it. The lower part has a
 * bar for each state and serves as the legend. On a terminal each state has a
 * colour, elsewhere a letter. A terminal that speaks UTF-8 gets blocks and
 * eighths of blocks, others ASCII.
 */
#ifndef WEFT_CLI_TRACE_CHART_H
#define WEFT_CLI_TRACE_CHART_H

#include <stdbool.h>

struct stat_report;

/* Returns how many rows are drawn: `asked` rows, or if `asked` is 0, as many as
 * fit on the terminal (16 without one). The statistics need slices for as many
 * rows. */
int chart_rows(int asked);

/*
 * Draws the types that the user chose, or else one type: the subsystem of a
 * runtime if the trace has it, because it says most. Returns false if there is
 * nothing to draw.
 */
bool chart_print(const struct stat_report *r, int asked);

#endif
