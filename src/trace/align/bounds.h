/* SPDX-License-Identifier: MIT */
/*
 * bounds.h - for pairs of clocks that drift: the tightest bounds on each clock,
 * at knots of equal distances in time.
 *
 * All clocks have been corrected by a first line each; what is left of the
 * truth at node i is a residual e[i]. A bound says e[from] - e[to] <= most at
 * some time. Residuals change slowly (rate), so a bound also holds a little
 * later and earlier, for more: that gives each pair a bound at each knot. Then
 * e[i] <= e[j] + bound[i][j] is a shortest path from node 0, where e is 0, at
 * each knot: no bounds follow from the messages that are tighter.
 *
 * Bounds that contradict each other make a cycle of negative length. The nodes
 * on it are then believed to drift twice as fast around that time, and again,
 * until the contradiction is gone.
 */
#ifndef WEFT_TRACE_ALIGN_BOUNDS_H
#define WEFT_TRACE_ALIGN_BOUNDS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/align/clock_line.h"

struct arena;

#define BOUNDS_KNOTS 4096                  /* most knots */
#define BOUNDS_BYTES (UINT64_C(128) << 20) /* most bytes of bounds of pairs */

/* The bounds of a pair, at each knot: e[from] - e[to] <= most. */
struct bounds_pair {
	int from, to;
	float *most;  /* by messages near the knot; owned */
	float *tight; /* also by messages near other knots; owned */
};

struct bounds {
	struct arena *arena;
	int nnodes, nknots;
	int64_t begin, step; /* first knot, and distance of two knots; ns of
	                      * corrected time */
	float *rate;         /* [node][knot]: ns for each ns; owned */
	float *up;           /* [node][knot]: e <= up; owned */
	float *down;         /* [node][knot]: -e <= down; owned */
	struct map index;    /* from * nnodes + to -> index in pairs, + 1 */
	VEC(struct bounds_pair) pairs;
	int ndoubled; /* pairs of node and knot whose rate was doubled */
	int ndropped; /* pairs of node and knot whose bounds were dropped,
	               * because they still contradicted each other */
};

/* first: the first line of each node, from which rates follow. from, to: the
 * time that the knots cover. */
void bounds_init(struct bounds *b, struct arena *a,
	const struct clock_line *first, int nnodes, int64_t from, int64_t to);

/* Adds a bound at a time: e[from] - e[to] <= most, in ns. */
void bounds_add(struct bounds *b, int from, int to, int64_t time, double most);

/* Computes up and down; infinite where nothing bounds a node. */
void bounds_solve(struct bounds *b);

void bounds_fini(struct bounds *b);

#endif
