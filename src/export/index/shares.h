/* SPDX-License-Identifier: MIT */
/*
 * shares.h - the shares of columns, one column after the other. They lie in
 * pieces of memory that the next row uses again.
 */
#ifndef WEFT_EXPORT_INDEX_SHARES_H
#define WEFT_EXPORT_INDEX_SHARES_H

#include "export/index/format.h"
#include "export/index/query.h"

struct arena;

struct shares_piece {
	struct shares_piece *next;
	size_t room; /* shares */
	struct index_share at[];
};

struct shares {
	struct arena *arena;
	struct shares_piece *first, *piece; /* the first one, the one in use */
	struct index_share *at;
	size_t room; /* shares that fit behind `at` */
};

/* Begins to use the memory again. */
void shares_begin(struct shares *s);

/* Does what shares_room() does, if the piece is full. */
struct index_share *shares_more(struct shares *s, size_t n);

/* Returns room for n shares and that of VALUE_NONE; the next call may return
 * the same one. */
static inline struct index_share *
shares_room(struct shares *s, size_t n)
{
	return s->room > n ? s->at : shares_more(s, n + 1);
}

/* Gives a column the n shares that were written to the room, which add up to
 * `sum`, and that of VALUE_NONE: the rest of `whole`. Returns false if the sum
 * is larger than the whole; punctual values have no whole: 0. */
static inline bool
shares_end(struct shares *s, struct index_column *c, size_t n,
	index_uwide whole, index_uwide sum)
{
	index_uwide rest = whole - sum;

	/* Overwritten by the next column, if there is no rest. */
	s->at[n] = (struct index_share){ rest > INT64_MAX ? INT64_MAX
							  : (int64_t)rest,
		INDEX_CLASS_NONE, { 0 } };
	n += whole > sum;
	c->nshares = (int)n;
	c->share = s->at;
	s->at += n;
	s->room -= n;
	return whole == 0 || sum <= whole;
}

#endif
