/* SPDX-License-Identifier: MIT */
/*
 * tree.h - sums of a group's rows that were made beforehand, in nodes of a
 * power of two of time.
 */
#ifndef WEFT_EXPORT_INDEX_TREE_H
#define WEFT_EXPORT_INDEX_TREE_H

#include "export/index/sums.h"

/* The tree of a group and a type; false: it has none. */
bool tree_find(struct index_query *q, uint32_t group, uint32_t type,
	struct widx_tree *out);

/* How many nodes a level has; the level of one node. */
uint64_t tree_nodes(int64_t end, uint32_t level);
uint32_t tree_top(int64_t end);

/* Adds node i of a level, the finest or above, to the sums of a column. */
bool tree_add(struct index_query *q, const struct widx_tree *t, uint32_t level,
	uint64_t i, struct sums *s, int column);

#endif
