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

#include "export/index/records.h"
#include "export/index/walk.h"

/* Sums are kept by rank: the number of a class among those that the series had
 * so far, in the order of classes. VALUE_NONE and slots that do not exist have
 * this one, whose sum is not used. */
#define SWEEP_NONE 255
#define SWEEP_BITS 64

/* Kinds of records. */
enum sweep_kind {
	SWEEP_QUICK,   /* slots below 128, without values: see records.h */
	SWEEP_PLAIN,   /* slots of any size */
	SWEEP_VALUES,  /* some records contain a value */
	SWEEP_POINTS,  /* the same, and records are counted */
	SWEEP_NUMBERS, /* the series has no slots */
};

struct sweep {
	struct walk w; /* at the last record before x; `at` and `slot` are not
	                * used */
	enum sweep_kind kind; /* of the loaded chunk */
	bool point;
	uint8_t rank;      /* of the last record */
	uint8_t next_rank; /* of the next record, unless it is in another
	                    * block */
	int64_t next;      /* time of the next record */
	struct records r;  /* what is behind the next record; unless the
	                    * kind is SWEEP_QUICK */
	struct records_block block; /* the records of the block behind the first
	                             * one; SWEEP_QUICK only */
	int64_t block_end; /* time of the first record of the next block */
	uint32_t last;     /* records of the chunk up to the end of the block */
	uint64_t open;     /* time from the last record to x */
	int64_t x;         /* argument of the last sweep_to() */
	/* Sums up to x by rank; for punctual values, how many there are. */
	uint64_t sum[INDEX_CLASSES];
	uint64_t before[INDEX_CLASSES]; /* by rank: see sweep_part() */
	/* Bits of the ranks, modulo SWEEP_BITS, whose sums have changed since
	 * the last sweep_end(). */
	uint64_t changed;
	uint64_t number;                /* records before x */
	unsigned nseen;                 /* slots */
	unsigned nranks;                /* without SWEEP_NONE */
	uint8_t class[INDEX_CLASSES];   /* by rank */
	uint8_t rank_of[INDEX_CLASSES]; /* by slot */
};

/* Begins a sweep before the first record of the series. In a series of numbers,
 * records are counted, but there are no sums. */
bool sweep_open(struct sweep *s, struct index_query *q, uint32_t series);

/* Moves to time x, which is not before the time of the last call. */
bool sweep_to(struct sweep *s, int64_t x);

/* Takes what was added to the sum of a rank since the last call. */
static inline uint64_t
sweep_part(struct sweep *s, unsigned rank)
{
	uint64_t part = s->sum[rank] - s->before[rank];

	s->before[rank] = s->sum[rank];
	return part;
}

/* Returns bits of the ranks from `first` on, a multiple of SWEEP_BITS, that may
 * have a part. */
static inline uint64_t
sweep_changed(const struct sweep *s, unsigned first)
{
	unsigned n = s->nranks - first;

	if (n >= SWEEP_BITS)
		return UINT64_MAX;
	return (first == 0 ? s->changed : UINT64_MAX) &
		((UINT64_C(1) << n) - 1);
}

/* Ends to take parts: all were taken. */
static inline void
sweep_end(struct sweep *s)
{
	s->changed = UINT64_C(1) << s->rank % SWEEP_BITS;
}

/* Moves to time x like sweep_to(), and takes all parts. */
bool sweep_skip(struct sweep *s, int64_t x);

/* Columns that follow one another. */
struct sweep_columns {
	int64_t from, width; /* the next column, not clipped */
	int64_t end;         /* end of the trace */
};

/* Sets the next column, [*from, *to) clipped to the trace; it is empty if
 * *from >= *to. */
static inline void
sweep_column(struct sweep_columns *c, int64_t *from, int64_t *to)
{
	int64_t next;

	if (__builtin_add_overflow(c->from, c->width, &next))
		next = INT64_MAX;
	*from = c->from < 0 ? 0 : c->from > c->end ? c->end : c->from;
	*to = next < 0 ? 0 : next > c->end ? c->end : next;
	c->from = next;
}

#endif
