/* SPDX-License-Identifier: MIT */
/*
 * clock_line.h - the correction of a node's clock: what to add to it, as a line
 * between points.
 *
 * A clock c between the points (local, offset) of indexes k and k + 1 becomes
 *
 *	c + offset[k] + floor((c - local[k]) * slope[k] / 2^40)
 *
 * Before the first point and after the last one the line of the nearest two
 * points goes on, and so it does up to a point where the clock has jumped. One
 * point is a constant offset, and no point is none.
 */
#ifndef WEFT_TRACE_ALIGN_CLOCK_LINE_H
#define WEFT_TRACE_ALIGN_CLOCK_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

#define CLOCK_LINE_PPM 1000 /* no clock drifts faster; else it has jumped */
/* ns for each ns: how fast the truth may leave a line of several points, or a
 * constant offset, which tells no drift */
#define CLOCK_LINE_RATE 2e-7
#define CLOCK_LINE_DRIFT 1e-4

struct clock_point {
	int64_t local;  /* clock of the node, ns */
	int64_t offset; /* ns, added to the clock there */
	int64_t error;  /* ns; the offset is at most so wrong; -1: not known */
	bool jumps;     /* the clock jumped somewhere between the point before
	                 * and this one */
};

struct clock_line {
	VEC(struct clock_point) points; /* local increases */
	VEC(int64_t) slope; /* 2^40 ns for each ns, behind each point */
};

/* Adds a point behind all others. Returns false if it is not later than the
 * last one, or, without a jump, so far from it that the clock would drift by
 * more than CLOCK_LINE_PPM; then the point is left out. */
bool clock_line_add(
	struct clock_line *l, struct arena *a, const struct clock_point *p);

/* Returns true if a clock with these two points drifts by at most
 * CLOCK_LINE_PPM; the second one is later. */
bool clock_line_agree(
	const struct clock_point *first, const struct clock_point *second);

/* Returns what is to be added to the clock `local`. *at is the index of the
 * point that the last call used, at first 0: clocks that follow each other find
 * their point at once. */
int64_t clock_line_offset(const struct clock_line *l, int64_t local, int *at);

/* Returns the local clock that the line corrects to `time`, to 1 ns: the
 * inverse of adding clock_line_offset(). *at: as above, for times. Where the
 * clock jumped, the time decides on which side. */
int64_t clock_line_local(const struct clock_line *l, int64_t time, int *at);

/* Returns by how much the corrected clock may be wrong, in ns; -1: not known,
 * as where the clock jumped. */
int64_t clock_line_error(const struct clock_line *l, int64_t local, int *at);

#endif
