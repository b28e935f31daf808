/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - running sums of a series at one time after the other.
 *
 * What a column shows is the difference of two of them. Within a block a sweep
 * walks on from where it is; further away it jumps to the sums that stand in
 * front of the block. Sums are modulo 2^64, so damaged bytes give wrong numbers
 * and no undefined ones.
 */
#ifndef WEFT_EXPORT_INDEX_SWEEP_H
#define WEFT_EXPORT_INDEX_SWEEP_H

#include "export/index/walk.h"

struct sweep {
	struct walk w;
	bool point;
	uint64_t sum[INDEX_CLASSES]; /* by slot, up to w.t; points: counts */
	/* At the last two times that were asked for. */
	uint64_t at[INDEX_CLASSES], before[INDEX_CLASSES];
	uint64_t number, number_before; /* records up to there */
	unsigned nseen;
};

bool sweep_open(struct sweep *s, struct index_query *q, uint32_t series);

/* Sums at x, not before the x of the last call. */
bool sweep_to(struct sweep *s, int64_t x);

/* What lies between the last two calls, by slot. */
static inline uint64_t
sweep_part(const struct sweep *s, unsigned slot)
{
	return s->at[slot] - s->before[slot];
}

/* The columns of one row, one after the other. */
struct sweep_columns {
	struct sweep *sweep;
	int64_t from, width; /* of the next column, not clipped */
	int64_t end;         /* of the trace */
	bool begun;
};

/* Moves to the next column, which is [*from, *to) clipped to the trace; empty
 * if *from >= *to. */
bool sweep_column(struct sweep_columns *c, int64_t *from, int64_t *to);

#endif
