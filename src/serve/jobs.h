/* SPDX-License-Identifier: MIT */
/*
 * jobs.h - what takes long is done on threads of its own, a few at a time, so
 * that those that read requests answer others meanwhile.
 *
 *	static void run(void *arg, struct job *job, bool too_late) { ... }
 *	struct jobs *j = jobs_open(run, http);
 *	jobs_add(j, &exchange->job)              -> run(http, &exchange->job,
 *...)
 */
#ifndef WEFT_SERVE_JOBS_H
#define WEFT_SERVE_JOBS_H

#include <stdbool.h>

#define JOBS_RUNNING 2
#define JOBS_WAITING 64 /* at most */

/* Part of what is done; the caller's until it was run. */
struct job {
	struct job *next;
};

struct jobs;

/* too_late: the process ends, only say that. NULL: there are no threads. */
struct jobs *jobs_open(
	void (*run)(void *arg, struct job *job, bool too_late), void *arg);

/* False: too many wait. */
bool jobs_add(struct jobs *j, struct job *job);

/* Runs what is left as too late. NULL is fine. */
void jobs_close(struct jobs *j);

#endif
