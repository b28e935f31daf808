/* SPDX-License-Identifier: MIT */
/*
 * launch.h - a program run under ours, as if ours were not there.
 *
 * It stays in our process group, so that the terminal is its own, and ^C and ^Z
 * reach both. Signals that somebody sends to us alone are handed on, those to
 * the group are not; when the program stops, so do we.
 *
 *	if (launch_start(&l, argv, &err) && launch_go(&l, &err))
 *		while (!launch_wait(&l, 50))
 *			look();
 *	return launch_code(&l);
 */
#ifndef WEFT_CLI_RUN_LAUNCH_H
#define WEFT_CLI_RUN_LAUNCH_H

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"
#include "cli/run/group.h"

enum { LAUNCH_NOT_RUN = 126, LAUNCH_NOT_FOUND = 127 }; /* as shells say */

struct launch {
	int pid;
	int status; /* as of waitpid, once it has ended */
	int go;     /* closed: it may begin */
	int failed; /* brings the errno of an exec that failed */
	int signals;
	struct group group;
	sigset_t mask;           /* before */
	struct sigaction ending; /* of SIGCHLD, before */
};

/* A child that waits. argv ends with NULL. */
bool launch_start(struct launch *l, char *argv[], struct err *err);

/* It becomes the program. False: it could not; the code says which way. */
bool launch_go(struct launch *l, struct err *err);

/* Waits so long at most, and handles signals. True: the program has ended. */
bool launch_wait(struct launch *l, int milliseconds);

/* What a shell would say: the program's exit code, 128 + its signal. */
int launch_code(const struct launch *l);

#endif
