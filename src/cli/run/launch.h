/* SPDX-License-Identifier: MIT */
/*
 * launch.h - runs a program so that weft's presence makes no difference to it.
 *
 * The program stays in our process group, so it owns the terminal, and ^C and
 * ^Z reach both of us. Signals that are sent to us alone are forwarded to the
 * program, those to the group are not. When the program stops, we stop.
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
#include <stdint.h>

#include "base/err.h"
#include "cli/run/group.h"

struct arena;

enum {
	LAUNCH_NOT_RUN = 126,
	LAUNCH_NOT_FOUND = 127
}; /* the exit codes of
    * shells */

/* Times during which the program was stopped, by CLOCK_MONOTONIC, ns. */
enum { STOPS_MAX = 64 };
struct stops {
	int n; /* later ones are not kept */
	struct stop {
		int64_t from, to;
	} at[STOPS_MAX];
};

struct launch {
	char **own; /* our environment without what is set for the program */
	int pid;
	int status; /* as returned by waitpid(), after the program has ended */
	int go;     /* pipe: closed to let the program begin */
	int failed; /* pipe: receives the errno of a failed exec */
	int signals;
	struct stops stops;
	struct group group;
	sigset_t mask;           /* our signal mask before the launch */
	struct sigaction ending; /* the action of SIGCHLD before the launch */
};

/* Notes the environment, before anything is set for the program. weft itself
 * may be recorded, by another weft run: what its children wait for before the
 * program begins belongs to that recording. */
void launch_keep_environment(struct launch *l, struct arena *a);

/* Forks a child, which waits for launch_go() and then executes the program with
 * the environment that we have now. argv ends with NULL. Returns false and sets
 * err on failure. */
bool launch_start(struct launch *l, char *argv[], struct err *err);

/* Lets the child execute the program. On failure returns false and sets err;
 * launch_code() then is LAUNCH_NOT_FOUND or LAUNCH_NOT_RUN. */
bool launch_go(struct launch *l, struct err *err);

/* Waits at most this long and forwards signals. Returns true if the program has
 * ended. */
bool launch_wait(struct launch *l, int milliseconds);

/* Returns the exit code that a shell would report: the program's exit code, or
 * 128 + its signal. */
int launch_code(const struct launch *l);

/* Returns true for the exit code of shells and of the loader for a missing
 * file. */
bool launch_not_found(const struct launch *l);

/* Says how the program ended, unless with code 0. */
void launch_say_end(const struct launch *l);

/* Returns what to do about a program that did not start, or "". */
const char *launch_advice(const char *program);

#endif
