/* SPDX-License-Identifier: MIT */
/*
 * sites.h - sums over all blocks of a call path.
 *
 * A thread counts what it allocates and frees in slots of its own, without
 * atomics, and moves a slot's sum to the site when another site needs it.
 *
 * Blocks below the threshold are estimates and have sites of their own.
 */
#ifndef WEFT_INPROC_MEM_SITES_H
#define WEFT_INPROC_MEM_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/block.h"
#include "inproc/mem/self.h"

struct site {
	struct self_site moved; /* atomic: here, by threads */
	uint8_t kind;           /* enum mem_object_kind; all that allocate there
	                           write the same */
	/* The drain's. */
	struct self_site all;
	uint64_t peak_bytes;
	uint64_t told; /* of `all`, when it was last written */
};

/* Counts a new block. The thread is busy. False: no memory. */
bool sites_count(struct self *s, const struct block *b);

/* After fork: sums begin at 0, and blocks born before then (ticks) count no
 * more: they are the parent's. */
void sites_forked(uint64_t now);

/* Is it a block from before fork? */
bool sites_is_inherited(const struct block *b);

/* Counts a block that died, or takes that back. The thread is busy, or s is
 * NULL. */
void sites_count_dead(struct self *s, const struct block *b, bool is_back);

/* Counts bytes that a block lost, and the parts (0 to 2) that are left. */
void sites_count_part(
	struct self *s, const struct block *b, int parts, uint64_t bytes);

/* The site, or NULL if nothing was ever allocated there. */
struct site *sites_at(uint32_t path, bool is_small);

/* Brings `all` up to date. The drain. */
void sites_sum(void);

/* A walk over all sites: the path after this one that may have some, or 0. */
uint32_t sites_paths(void);

#endif
