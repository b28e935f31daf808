/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - computes the running sums of a series at ascending times.
 *
 * A column's content is the difference of two such sums. Within a block a sweep
 * walks record by record; a time in a later block makes it jump to the sums
 * that are stored for the start of that block. Sums are modulo 2^64, so damaged
 * bytes give wrong numbers but no undefined behaviour.
 */
#ifndef WEFT_EXPORT_INDEX_SWEEP_H
#define WEFT_EXPORT_INDEX_SWEEP_H

#include "export/index/walk.h"

struct sweep {
	struct walk w;
	bool point;
	uint64_t sum[INDEX_CLASSES]; /* by slot, up to w.t; for punctual values:
	                              * how many there are */
	/* Sums at the last two times that sweep_to() was given. */
	uint64_t at[INDEX_CLASSES], before[INDEX_CLASSES];
	uint64_t number, number_before; /* records before these two times */
	unsigned nseen;
};

bool sweep_open(struct sweep *s, struct index_query *q, uint32_t series);

/* Moves to time x, which is not before the time of the last call. */
bool sweep_to(struct sweep *s, int64_t x);

/* Returns the difference between the last two calls, by slot. */
static inline uint64_t
sweep_part(const struct sweep *s, unsigned slot)
{
	return s->at[slot] - s->before[slot];
}

/* The columns of one row, one after the other. */
struct sweep_columns {
	struct sweep *sweep;
	int64_t from, width; /* the next column, not clipped */
	int64_t end;         /* end of the trace */
	bool begun;
};

/* Moves to the next column, [*from, *to) clipped to the trace; it is empty if
 * *from >= *to. */
bool sweep_column(struct sweep_columns *c, int64_t *from, int64_t *to);

#endif
