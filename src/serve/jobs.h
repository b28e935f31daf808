/* SPDX-License-Identifier: MIT */
/*
 * jobs.h - runs slow requests on a few threads of their own, so that the
 * threads that read requests stay free for fast ones.
 *
 *	static void run(void *arg, struct job *job, bool too_late) { ... }
 *	struct jobs *j = jobs_open(run, http);
 *	jobs_add(j, &exchange->job)          -> run(http, &exchange->job, ...)
 */
#ifndef WEFT_SERVE_JOBS_H
#define WEFT_SERVE_JOBS_H

#include <stdbool.h>

#define JOBS_RUNNING 2
#define JOBS_WAITING 64 /* most jobs that wait */

/* Part of a larger struct, which the caller owns until run() is called with
 * it. */
struct job {
	struct job *next;
};

struct jobs;

/* Starts the threads. run() is called with too_late when the server ends, and
 * then must only report that. Returns NULL if no thread could be started. */
struct jobs *jobs_open(
	void (*run)(void *arg, struct job *job, bool too_late), void *arg);

/* Adds a job. Returns false if too many jobs wait. */
bool jobs_add(struct jobs *j, struct job *job);

/* Runs waiting jobs with too_late and ends the threads; from then on jobs_add()
 * returns false. NULL is allowed. */
void jobs_end(struct jobs *j);

/* Ends the threads if they still run, and frees all memory. No thread may call
 * jobs_add() any more. NULL is allowed. */
void jobs_close(struct jobs *j);

#endif
