/* SPDX-License-Identifier: MIT */
/*
 * tree.h - reads precomputed sums of a group's rows; format.h says which sums
 * each node has.
 */
#ifndef WEFT_EXPORT_INDEX_TREE_H
#define WEFT_EXPORT_INDEX_TREE_H

#include "export/index/sums.h"

/* Finds the tree of a group and a type. Returns false if the group has none. */
bool tree_find(struct index_query *q, uint32_t group, uint32_t type,
	struct widx_tree *out);

/* Returns the number of leaves of a tree of that level. */
uint64_t tree_width(int64_t end, uint32_t level);

/* Returns where node j of n lies among them, from 0. */
static inline uint64_t
tree_place(uint64_t j, uint64_t n)
{
	uint64_t place = (j - 1) / WIDX_SPAN * WIDX_SPAN;
	uint64_t i = j - place;
	uint64_t left = n - place < WIDX_SPAN ? n - place : WIDX_SPAN;

	for (; i % WIDX_TIER == 0; i /= WIDX_TIER, left /= WIDX_TIER)
		place += left - left / WIDX_TIER;
	return place + i - 1 - i / WIDX_TIER;
}

/* Leaves `from` to `to` - 1 of a tree; leaves behind the end of the trace are
 * empty. */
struct tree_leaves {
	uint64_t from, to;
};

/* Adds leaves to the sums of a column. Call it under the guard. */
bool tree_add(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, struct sums *s, int column);

/* Adds the sums of the leaves before the border of two columns, `leaf`, to the
 * column before it, and subtracts them from `column` behind it, if these
 * columns exist: so each column has its sums when both its borders were passed.
 * Call it under the guard. */
bool tree_border(struct index_query *q, const struct widx_tree *t,
	uint64_t leaf, struct sums *s, int column);

/* Sets the number of changes in some leaves. Call it under the guard. */
bool tree_changes(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, uint64_t *changes);

#endif
