/* SPDX-License-Identifier: MIT */
/*
 * parts.h - emulates a trace with several processes: the ranks of an MPI job,
 * or those of --jobs. The output has the same bytes as that of one process.
 *
 * The nodes (looms) of the trace are dealt to the processes. Each emulates its
 * own (emu/part.h). Meanwhile all exchange their records, and each writes those
 * of some slices of time (parts_rounds.h). The files get their names at the
 * very end. Formats that cannot be written in pieces (all but Paraver's and
 * CSV) are written by the first process.
 */
#ifndef WEFT_CLI_TRACE_PARTS_H
#define WEFT_CLI_TRACE_PARTS_H

#include "base/err.h"
#include "cli/trace/parts_output.h"
#include "cli/trace/pipeline.h"

struct team;

enum parts_end {
	PARTS_DONE,
	PARTS_FAILED, /* err is set at the first process */
	PARTS_WHOLE,  /* parts would not show what the whole trace shows:
	               * emulate it again, in one process */
};

/* Returns the number of nodes of the open trace, or 1 if it cannot be split. */
int parts_count(const struct pipeline *r);

/* Emulates the open trace; called by all processes of the team. In the first
 * one, r then has the results of all: findings, numbers of events. */
enum parts_end parts_emulate(struct pipeline *r, struct team *t,
	const struct parts_output *out, struct err *err);

#endif
