/* SPDX-License-Identifier: MIT */
/*
 * sync_solve.h - weft sync --solve: a table of clocks from round trips and
 * messages that something else has recorded, as lines of text:
 *
 *	machine HOST BOOT                  the first one is the reference
 *	probe HOST OTHER T1 T2 T3 T4       HOST sent at T1, OTHER got it at T2
 *	                                   and answered at T3, HOST got it at T4
 *	message FROM TO SENT RECEIVED      clocks of the two hosts, ns
 *
 * Of round trips that are less than a second apart, the shortest counts. Lines
 * of '#' are comments. A machine is named before it is used.
 */
#ifndef WEFT_CLI_TRACE_SYNC_SOLVE_H
#define WEFT_CLI_TRACE_SYNC_SOLVE_H

#include "base/err.h"
#include "trace/align/table.h"

struct arena;

/* Reads the file ("-": standard input) and solves it into the table. Returns
 * false with err, which names the line. */
bool sync_solve(struct arena *a, const char *path, struct clock_table *table,
	struct err *err);

#endif
