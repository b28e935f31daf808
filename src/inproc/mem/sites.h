/* SPDX-License-Identifier: MIT */
/*
 * sites.h - sums over all blocks of a call path.
 *
 * A thread counts its allocations and frees in slots of its own, without atomic
 * operations, and moves a slot's sums to the site when another site needs the
 * slot.
 *
 * Blocks below the threshold are estimates and have separate sites.
 */
#ifndef WEFT_INPROC_MEM_SITES_H
#define WEFT_INPROC_MEM_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/block.h"
#include "inproc/mem/self.h"

struct site {
	struct self_site moved; /* atomic: threads move sums here */
	uint8_t kind;           /* enum mem_object_kind; every thread
	                         * that allocates at the site writes the same
	                         * value */
	/* Used by the drain only. */
	struct self_site all;
	uint64_t peak_bytes;
	uint64_t told; /* state of `all` when it was last written */
};

/* Counts a new block. The thread is busy. Returns false without memory. */
bool sites_count(struct self *s, const struct block *b);

/* After fork: sums begin at 0, and blocks born before `now` (ticks) are the
 * parent's and no longer count. */
void sites_forked(uint64_t now);

/* Returns true for a block from before fork. */
bool sites_is_inherited(const struct block *b);

/* Counts a block that died; is_back: uncounts it. The thread is busy, or s is
 * NULL. */
void sites_count_dead(struct self *s, const struct block *b, bool is_back);

/* Counts bytes that a block lost; parts: number of parts left, 0 to 2. */
void sites_count_part(
	struct self *s, const struct block *b, int parts, uint64_t bytes);

/* Returns the site of a path, or NULL if nothing was ever allocated on that
 * path. */
struct site *sites_at(uint32_t path, bool is_small);

/* Brings `all` up to date. Called by the drain. */
void sites_sum(void);

/* Returns one more than the largest path that has sites. */
uint32_t sites_paths(void);

#endif
