/* SPDX-License-Identifier: MIT */
/*
 * team_fork.h - a team (team.h) of processes that fork() makes, without MPI.
 *
 *	fflush(NULL);
 *	if (!team_fork(&t, 4, on_failure, &err))
 *		...
 *	... (all four go on here, with their rank in t.rank)
 *	team_close(&t);
 *
 * team_close() ends the processes with ranks above 0. They are killed when rank
 * 0 dies; when another one dies, rank 0 calls on_failure().
 */
#ifndef WEFT_BASE_TEAM_FORK_H
#define WEFT_BASE_TEAM_FORK_H

#include "base/team.h"

#define TEAM_FORK_MOST 32 /* processes */

/* Makes a team of 2 to TEAM_FORK_MOST processes. Returns false with err in this
 * process if one cannot be made. The process may have only one thread. */
bool team_fork(struct team *t, int size, void (*on_failure)(const char *why),
	struct err *err);

#endif
