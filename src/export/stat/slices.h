/* SPDX-License-Identifier: MIT */
/*
 * slices.h - which values a row had in equal parts of a time span, without
 * knowing beforehand how long that will be.
 *
 * A span starts with slices of 1 ns. When they do not reach far enough, two
 * and two become one. So the last slice always lies in the second half of
 * them (unless the span is shorter), and the times in each are exact.
 *
 *	struct slices s = { .from = 0, .width = 1 };
 *	slices_add(&s, &arena, 10, 50, value);            (in time order)
 *	slices_each(&s, 0, 4, fn, arg);
 */
#ifndef WEFT_EXPORT_STAT_SLICES_H
#define WEFT_EXPORT_STAT_SLICES_H

#include <stdint.h>

#include "base/vec.h"

struct arena;

#define SLICES_MAX 1024

/* Several values of one slice; lines that stand for several values. */
#define VALUE_OTHER (INT64_MIN + 1)

/* Values beyond this many in one slice are added up as VALUE_OTHER. */
#define SLICE_VALUES 64

/* Time of one value in one slice. */
struct slice_piece {
	int64_t value, time;
	int next; /* index + 1 in the list of the slice; 0 ends it */
};

struct slices {
	int64_t from, width;   /* of the first slice; of each: 1, 2, 4... ns */
	int64_t end;           /* what was added reaches up to there */
	int first[SLICES_MAX]; /* piece, index + 1 */
	int unused;            /* list of pieces that merging left over */
	VEC(struct slice_piece) pieces;
};

/* The row had this value in [since, until); since >= from. */
void slices_add(struct slices *s, struct arena *a, int64_t since, int64_t until,
	int64_t value);

/* What is told reaches up to there, whatever the row had. */
void slices_reach(struct slices *s, struct arena *a, int64_t until);

/* How many slices there are, the last one perhaps not full. */
int slices_count(const struct slices *s);

/* Calls fn for each value that n slices from `first` on had, with its time,
 * once or more. */
void slices_each(const struct slices *s, int first, int n,
	void (*fn)(void *arg, int64_t value, int64_t time), void *arg);

#endif
