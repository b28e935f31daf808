/* SPDX-License-Identifier: MIT */
/*
 * job.h - a command that runs as several processes: the ranks of an MPI job, or
 * processes of its own. The first one speaks for all.
 *
 *	if (!job_begin(&j))
 *		...
 *	ok = job_agree(&j, pipeline_open(...));
 *	...
 *	return job_end(&j, code);
 */
#ifndef WEFT_CLI_TRACE_JOB_H
#define WEFT_CLI_TRACE_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/team.h"
#include "cli/cmd.h"

struct job {
	struct team team;
	struct arena arena;
	bool is_forked; /* the team is processes of our own */
	int said;       /* other ranks: file of what this one says; -1: none */
};

/* Joins the MPI job, if a launcher has started one. Returns false after a
 * message of its first process. */
bool job_begin(struct job *j);

/* Makes n processes of this one, if it is the only one of its team. Without
 * them, the command goes on alone. */
void job_fork(struct job *j, int n);

/* Returns true if `ok` is true in all processes. If it is not in another one,
 * the first one prints what that said. */
bool job_agree(struct job *j, bool ok);

/* Returns true if all processes give the same text. Else the first one says
 * which process has other `things`. */
bool job_same(struct job *j, const char *things, const char *text);

/* Leaves the team; processes that were forked end here. Returns the code
 * of the first process there, and 0 in the others. */
enum exit_code job_end(struct job *j, enum exit_code code);

#endif
