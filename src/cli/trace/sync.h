/* SPDX-License-Identifier: MIT */
/*
 * sync.h - the measurement of weft sync: bursts of round trips (probe.h)
 * between the machines of a job.
 *
 * One process of each machine works, the others wait. Up to SYNC_STAR machines,
 * all probe the first one. More of them form groups: the first machine of each
 * group probes the first machine of all, and the others probe the first of
 * their group, at the same time in all groups. The errors of both steps add up.
 */
#ifndef WEFT_CLI_TRACE_SYNC_H
#define WEFT_CLI_TRACE_SYNC_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/team.h"
#include "base/vec.h"
#include "trace/align/align.h"

struct arena;

enum { SYNC_STAR = 256 };

struct sync_machine {
	int rank; /* rank of the process that measures */
	char host[HOST_NAME_MAX + 1];
	char boot[40]; /* id of the boot; empty: not known */
};

struct sync {
	struct arena *arena;
	struct team *team;
	VEC(struct sync_machine) machines; /* the first one is the reference */
	int own; /* index of this process's machine; -1: another process of the
	          * machine works */
};

/* Learns the machines of all processes; all of them must call it. */
void sync_find(struct sync *s, struct arena *a, struct team *t);

/* Makes a burst with each machine; all processes must call it. At rank 0 the
 * shortest round trips are added to `probes`. */
void sync_round(struct sync *s, struct align *probes);

#endif
