/* SPDX-License-Identifier: MIT */
/*
 * rank.h - sorts the rows of a view by cost, and groups pairs (variable and
 * statement, variable and thread) by one of the two.
 */
#ifndef WEFT_CLI_MEM_RANK_H
#define WEFT_CLI_MEM_RANK_H

#include "base/map.h"
#include "cli/mem/mem.h"
#include "mem/db/profile.h"

#define MEM_WORST 3 /* partners that a line names */

struct mem_ranked {
	uint64_t cost;
	uint32_t index; /* index of the row, or of the group */
	uint32_t with;  /* index of the partner */
};

struct mem_ranking {
	VEC(struct mem_ranked) list;
};

/* Pairs sorted by group, and within a group by descending cost. */
struct mem_groups {
	struct mem_ranking all;
	struct map first; /* group to the index of its first pair */
};

/* Sorts by descending cost. */
void mem_rank(struct mem_ranking *k);

/* Returns true if a comes before b in sorted order or is b. */
bool mem_precedes(const struct mem_ranked *a, const struct mem_ranked *b);

/* Groups the pairs that have a cost in the report's event, by variable or by
 * partner. The caller frees the map. */
void mem_group(struct mem_groups *g, const struct mem_report *r,
	const struct pairs *pairs, bool by_variable);

/* Returns the n members of a group, or NULL if there are none. */
const struct mem_ranked *mem_members(
	const struct mem_groups *g, uint32_t index, int *n);

/* Returns how many of n lines --top asks for. */
int mem_shown(const struct mem_report *r, int n);

#endif
