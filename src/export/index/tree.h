/* SPDX-License-Identifier: MIT */
/*
 * tree.h - reads precomputed sums of a group's rows; each node spans a power of
 * two of time.
 */
#ifndef WEFT_EXPORT_INDEX_TREE_H
#define WEFT_EXPORT_INDEX_TREE_H

#include "export/index/sums.h"

/* Finds the tree of a group and a type. Returns false if the group has none. */
bool tree_find(struct index_query *q, uint32_t group, uint32_t type,
	struct widx_tree *out);

/* Returns the number of nodes of a level. */
uint64_t tree_width(int64_t end, uint32_t level);

/* Nodes `from` to `to` - 1 of a level, which is at or above the finest. */
struct tree_nodes {
	uint32_t level;
	uint64_t from, to;
};

/* Adds nodes to the sums of a column; takes as few nodes of higher levels as
 * there are. Call it under the guard. */
bool tree_add(struct index_query *q, const struct widx_tree *t,
	struct tree_nodes nodes, struct sums *s, int column);

#endif
