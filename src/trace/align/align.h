/* SPDX-License-Identifier: MIT */
/*
 * align.h - one time for the clocks of many nodes, from bounds on how far the
 * clocks are apart.
 *
 * A message that left node i when its clock was s, and had arrived at node j
 * when its clock was r, says that s happened before r. A round trip (probe.h)
 * says it twice. Each such bound limits the corrections of two clocks; together
 * they give for each node and time a range in which the true correction lies.
 *
 *	struct align a;
 *
 *	align_init(&a, &arena, nnodes, min_latency);
 *	for each burst of round trips
 *		align_probe(&a, &probe);
 *	align_begin(&a, from, to);
 *	for each message
 *		align_message(&a, &message);
 *	align_solve(&a);
 *	... align_line(&a, node) ...
 *	align_fini(&a);
 *
 * The estimate is the line through the shortest round trips, moved only as far
 * as the bounds demand it. The bar of a point says how wrong it may be: it
 * relies on no latency being negative, and on the drift of a clock changing by
 * at most CLOCK_LINE_RATE a second where the probes do not show more.
 *
 * Node 0 is the reference: its correction is 0. Messages are not kept.
 * Memory: 8 bytes for each second and each pair of nodes that exchange
 * messages; the seconds become two, four... when that exceeds BOUNDS_BYTES.
 */
#ifndef WEFT_TRACE_ALIGN_ALIGN_H
#define WEFT_TRACE_ALIGN_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/align/bounds.h"
#include "trace/align/clock_line.h"

/* The shortest of a burst of round trips between a node and another one. */
struct align_probe {
	int node, reference;
	int64_t local;  /* clock of the node at the middle, ns */
	int64_t offset; /* ns, added to `local` to get the reference's clock */
	int64_t delay;  /* duration of the round trip, ns */
};

struct align_message {
	int from, to;
	int64_t sent, received; /* clocks of the two nodes, ns */
};

struct align {
	struct arena *arena;
	int nnodes;
	int64_t min_latency;
	VEC(struct align_probe) probes;
	struct clock_line *first; /* line of each node through its probes */
	int *at;      /* for each node the point of the last look-up */
	int *nprobes; /* by node */
	struct bounds bounds;
	struct clock_line *line; /* results, by node */
	uint64_t nmessages;
	uint64_t ndropped; /* messages that contradict the probes by far */
};

/* min_latency: ns that each message takes at least. */
void align_init(
	struct align *a, struct arena *arena, int nnodes, int64_t min_latency);

void align_probe(struct align *a, const struct align_probe *p);

/* Ends the probes. from, to: the time of the trace, on the reference's
 * clock. */
void align_begin(struct align *a, int64_t from, int64_t to);

void align_message(struct align *a, const struct align_message *m);

/* Computes the lines of all nodes. */
void align_solve(struct align *a);

/* Starts again with the lines of align_solve(): the caller passes all messages
 * once more, and solves. For nodes without probes: their drift is not known the
 * first time, which makes their bars some 100 us wide. Three passes are enough.
 */
void align_again(struct align *a);

/* Returns the correction of a node. Its points have the error -1 if nothing
 * relates the node to node 0. */
const struct clock_line *align_line(const struct align *a, int node);

/* Returns the line through the node's probes alone, after align_begin(). */
const struct clock_line *align_first(const struct align *a, int node);

void align_fini(struct align *a);

#endif
