/* SPDX-License-Identifier: MIT */
/*
 * slices.h - which values a row had in equal slices of a time span whose length
 * is not known beforehand.
 *
 * A span starts with slices of 1 ns. When SLICES_MAX of them do not reach far
 * enough, each two neighbours are merged. So the last slice in use is always in
 * the second half of the array (unless the span is shorter), and the times in
 * each slice are exact.
 *
 *	struct slices s = { .from = 0, .width = 1 };
 *	slices_add(&s, &arena, 10, 50, value); (in time order)
 *	slices_each(&s, 0, 4, fn, arg);
 */
#ifndef WEFT_EXPORT_STAT_SLICES_H
#define WEFT_EXPORT_STAT_SLICES_H

#include <stdint.h>

#include "base/vec.h"

struct arena;

#define SLICES_MAX 1024

/* The sum of several values of one slice, or of several lines. */
#define VALUE_OTHER (INT64_MIN + 1)

/* Values beyond this many in one slice are added up as VALUE_OTHER. */
#define SLICE_VALUES 64

/* Time of one value in one slice. */
struct slice_piece {
	int64_t value, time;
	int next; /* index + 1 in the list of the slice; 0 ends it */
};

struct slices {
	int64_t from, width;   /* beginning of the first slice; width of each
	                        * slice: 1, 2, 4... ns */
	int64_t end;           /* end of the time added so far */
	int first[SLICES_MAX]; /* index + 1 of the first piece of each slice */
	int unused;            /* list of pieces that merging freed */
	VEC(struct slice_piece) pieces;
};

/* Adds that the row had this value in [since, until); since >= from. */
void slices_add(struct slices *s, struct arena *a, int64_t since, int64_t until,
	int64_t value);

/* Extends the span to that time without adding a value. */
void slices_reach(struct slices *s, struct arena *a, int64_t until);

/* Returns the number of slices in use; the last one may be partly filled. */
int slices_count(const struct slices *s);

/* Calls fn for each value in n slices from `first` on, with its time. fn may be
 * called several times for one value. */
void slices_each(const struct slices *s, int first, int n,
	void (*fn)(void *arg, int64_t value, int64_t time), void *arg);

#endif
