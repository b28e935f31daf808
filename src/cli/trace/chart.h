/* SPDX-License-Identifier: MIT */
/*
 * chart.h - statistics drawn with characters, for people on a login node.
 *
 * Above, a timeline: a line a row, from left to right the time, in each cell
 * the state that took most of it. Below, a bar for each state, which is the
 * legend too. On a terminal states have colours; else each has a letter. Blocks
 * and eighths of them if the terminal speaks UTF-8, else ASCII.
 */
#ifndef WEFT_CLI_TRACE_CHART_H
#define WEFT_CLI_TRACE_CHART_H

#include <stdbool.h>

struct stat_report;

/* How many rows are drawn if the user asked for so many; 0: what fits on the
 * terminal, or 16. The statistics need slices for as many. */
int chart_rows(int asked);

/*
 * Draws what the report shows: all types if the user chose them; else one, the
 * subsystem of a runtime if there is, which says most. False if there is
 * nothing to draw.
 */
bool chart_print(const struct stat_report *r, int asked);

#endif
