/* SPDX-License-Identifier: MIT */
/*
 * probe.h - round trips between two processes of a team, which bound the offset
 * between the clocks of their machines.
 *
 * A process sends at t1, the reference receives at t2 and answers at t3, and
 * the process receives at t4. With delay = (t4 - t1) - (t3 - t2), the offset
 * ((t2 - t1) + (t3 - t4)) / 2 is wrong by at most delay / 2, however the two
 * ways differ, since no message arrives before it was sent. So the shortest
 * round trip of a burst is its best.
 */
#ifndef WEFT_TRACE_PROBE_H
#define WEFT_TRACE_PROBE_H

#include <stdint.h>

struct team;

/* A round trip; all in ns of CLOCK_MONOTONIC. */
struct probe {
	int64_t reference; /* middle of t2 and t3 */
	int64_t local;     /* middle of t1 and t4 */
	int64_t delay;
};

/* Returns what is to be added to the local clock, in ns, wrong by at most
 * delay / 2 + 1. */
static inline int64_t
probe_offset(const struct probe *p)
{
	return p->reference - p->local;
}

/*
 * Makes n >= 1 round trips to the rank `reference`, after `warm` others that do
 * not count. That rank calls probe_answer() with the same numbers meanwhile.
 */
void probe_burst(
	struct team *t, int reference, int warm, struct probe *p, int n);
void probe_answer(struct team *t, int rank, int warm, int n);

/* The offset according to a burst. */
struct probe_summary {
	int64_t offset;   /* offset by the shortest round trip, ns */
	int64_t delay;    /* delay of the shortest round trip, ns */
	double mean;      /* mean of all offsets, ns */
	double deviation; /* standard deviation of all offsets, ns (n - 1); 0
	                   * for n = 1 */
};

struct probe_summary probe_summarize(const struct probe *p, int n);

#endif
