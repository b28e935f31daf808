/* SPDX-License-Identifier: MIT */
/*
 * group.h - did a signal go to our whole process group, or to us alone?
 *
 * What a signal says of itself is the same in both cases. So another process
 * sits in the group and blocks all signals: what it has got, the group has got.
 *
 *	group_open(&g);
 *	if (!group_got(&g, SIGTERM))
 *		it was for us
 *	group_close(&g);
 */
#ifndef WEFT_CLI_RUN_GROUP_H
#define WEFT_CLI_RUN_GROUP_H

#include <stdbool.h>

struct group {
	int pid;         /* of who sits there; -1: nobody */
	int ask, answer; /* a byte each way: the signal, and whether it came */
};

/* The calling process has one child more. Without it, no signal was for the
 * group. */
void group_open(struct group *g);

/* Call it once for each signal that came to us. */
bool group_got(struct group *g, int sig);

void group_close(struct group *g);

#endif
