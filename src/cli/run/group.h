/* SPDX-License-Identifier: MIT */
/*
 * group.h - tells whether a signal was sent to our whole process group or to us
 * alone.
 *
 * The signal itself looks the same in both cases. So another process in the
 * group blocks all signals: a signal that is pending there was sent to the
 * group.
 *
 *	group_open(&g);
 *	if (!group_got(&g, SIGTERM))
 *		the signal was sent to us alone
 *	group_close(&g);
 */
#ifndef WEFT_CLI_RUN_GROUP_H
#define WEFT_CLI_RUN_GROUP_H

#include <stdbool.h>

struct group {
	int pid;         /* PID of the other process; -1: there is none */
	int ask, answer; /* pipes for one byte: the signal's number, and the
	                  * answer */
};

/* Forks the other process. If that fails, group_got() returns false for every
 * signal. */
void group_open(struct group *g);

/* Returns true if the group got the signal. Call it once for each signal that
 * we got. */
bool group_got(struct group *g, int sig);

void group_close(struct group *g);

#endif
