/* SPDX-License-Identifier: MIT */
/*
 * rank.h - the rows of a view in the order of their costs, and pairs (a
 * variable and a statement, a variable and a thread) in groups of one of both.
 */
#ifndef WEFT_CLI_MEM_RANK_H
#define WEFT_CLI_MEM_RANK_H

#include "base/map.h"
#include "cli/mem/mem.h"
#include "mem/db/profile.h"

#define MEM_WORST 3 /* partners that a row names */

struct mem_ranked {
	uint64_t cost;
	uint32_t index; /* of the row; of the group */
	uint32_t with;  /* partner */
};

struct mem_ranking {
	VEC(struct mem_ranked) list;
};

/* Groups stand together, in each the most expensive partner first. */
struct mem_groups {
	struct mem_ranking all;
	struct map first; /* of a group: position in the list */
};

/* Sorts: the most expensive first. */
void mem_rank(struct mem_ranking *k);

/* True if a stands before b, or is b, among sorted rows. */
bool mem_precedes(const struct mem_ranked *a, const struct mem_ranked *b);

/* The pairs that cost something in the event of the report, by variable or by
 * partner. The map is the caller's to end. */
void mem_group(struct mem_groups *g, const struct mem_report *r,
	const struct pairs *pairs, bool by_variable);

/* The members of a group, n of them; NULL: none. */
const struct mem_ranked *mem_members(
	const struct mem_groups *g, uint32_t index, int *n);

/* How many of n rows are asked for. */
int mem_shown(const struct mem_report *r, int n);

#endif
