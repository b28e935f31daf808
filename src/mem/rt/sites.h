/* SPDX-License-Identifier: MIT */
/*
 * sites.h - sums over all blocks of a call path.
 *
 * A thread counts what it allocates and frees in slots of its own, without
 * atomics, and moves a slot's sum to the site when another site needs it.
 *
 * Blocks below the threshold are estimates and have sites of their own.
 */
#ifndef WEFT_MEM_RT_SITES_H
#define WEFT_MEM_RT_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/rt/block.h"
#include "mem/rt/self.h"

struct site {
	struct self_site moved; /* here, by threads */
	uint8_t kind;           /* enum mem_object_kind */
	/* the drain's */
	struct self_site all;
	uint64_t peak_bytes;
	uint64_t told; /* all.blocks + all.freed_blocks when last written */
};

/* Counts a new block. The thread is busy. False: no memory. */
bool sites_count(struct self *s, const struct block *b);

/* Counts a block that died. The thread is busy, or has no self. */
void sites_count_dead(struct self *s, const struct block *b);

/* The site, or NULL if nothing was ever allocated there. */
struct site *sites_at(uint32_t path, bool is_small);

/* Brings `all` up to date. The drain. */
void sites_sum(void);

/* A walk over all sites: the path after this one that may have some, or 0. */
uint32_t sites_paths(void);

#endif
