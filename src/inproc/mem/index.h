/* SPDX-License-Identifier: MIT */
/*
 * index.h - finds the block that lay at an address at a time.
 *
 * Each page of the address space has a list of the blocks that begin in it; a
 * bitmap of pages with a list finds the nearest page below. Threads that
 * allocate push (one compare-and-swap), threads that free mark; only the drain
 * looks up by time and removes, so its look-ups need no lock and no epoch:
 *
 *	index_add(&ix, b);                  any thread
 *	b = index_starting(&ix, address);   any thread, to free
 *	hit = index_at(&ix, address, time); the drain
 *	index_sweep(&ix, b);                the drain
 *
 * A thread that walks a list (index_starting) may meet a removed entry: it must
 * not be reused while the thread is busy, see self.h.
 */
#ifndef WEFT_INPROC_MEM_INDEX_H
#define WEFT_INPROC_MEM_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/block.h"

enum {
	INDEX_PAGE_BITS = 12,
	INDEX_NODE_BITS = 30, /* bits of addresses that one node covers */
	INDEX_NODE_PAGES = 1 << (INDEX_NODE_BITS - INDEX_PAGE_BITS),
	INDEX_WORDS = INDEX_NODE_PAGES / 64,
	INDEX_SUMS = INDEX_WORDS / 64,
	INDEX_NODES = 1 << (47 - INDEX_NODE_BITS),
	INDEX_STARTS = 48 /* parts of a page, each with a start bit */
};

/* All fields are atomic: threads add, the drain removes. */
struct index_node {
	struct block *first[INDEX_NODE_PAGES];
	/* Per page: the lower INDEX_STARTS bits mark the parts in which live
	 * blocks begin. The upper bits count additions and revivals, so that a
	 * thread that clears bits notices them. */
	uint64_t starts[INDEX_NODE_PAGES];
	uint64_t page[INDEX_WORDS]; /* a bit per page with a list */
	uint64_t sum[INDEX_SUMS];   /* a bit per word that ever had a page */
};

struct index {
	struct index_node *node[INDEX_NODES]; /* atomic, made by any thread */
	uint64_t longest; /* atomic, any thread: bytes of the largest block
	                   * ever */
	uint64_t since; /* time in ticks; entries born earlier are not revived;
	                 * set in a child of fork, before its threads */
	bool nests;     /* blocks may lie in other blocks; set at the start */
	uint32_t emptied; /* atomic, written by the drain: odd while a page's
	                   * bit may be missing */
};

struct index_hit {
	struct block *block; /* NULL: none */
	bool is_freed;       /* the address had a dead block, and no other block
	                      * was there */
};

/* Adds a block. Returns false without memory, or for an invalid address. */
bool index_add(struct index *ix, struct block *b);

/* Returns the live block that begins at the address, or NULL. */
struct block *index_starting(struct index *ix, uint64_t address);

/* Returns the live block with the largest start at or below the address, or
 * NULL. */
struct block *index_below(struct index *ix, uint64_t address);

/* Returns the block that lay at the address at that time. */
struct index_hit index_at(struct index *ix, uint64_t address, uint64_t time);

/* Revives a dead entry that matches the new block b, sets its size and returns
 * it; NULL if there is none. */
struct block *index_revive(struct index *ix, const struct block *b);

/* Notes that a block marked dead is alive again. */
void index_lives_again(struct index *ix, const struct block *b);

/* Calls each() for all blocks that begin in the pages of [lo, hi). Called by
 * the drain. */
void index_within(struct index *ix, uint64_t lo, uint64_t hi,
	void (*each)(void *arg, struct block *b), void *arg);

/* Removes all claimed blocks that begin in the page of b. */
void index_sweep(struct index *ix, const struct block *b);

static inline uint64_t
index_start_bit(uint64_t address)
{
	uint64_t at = address & ((1u << INDEX_PAGE_BITS) - 1);

	return (uint64_t)1 << (at * INDEX_STARTS >> INDEX_PAGE_BITS);
}

/* Returns true if a tracked block may begin at the address. Inline, because
 * every free() calls it. The start bits rule out most untracked blocks that
 * share a page with a tracked one. */
static inline bool
index_may_start(const struct index *ix, uint64_t address)
{
	const struct index_node *n;

	if (address >> 47 != 0)
		return false;
	n = __atomic_load_n(
		&ix->node[address >> INDEX_NODE_BITS], __ATOMIC_ACQUIRE);
	return n != NULL &&
		(__atomic_load_n(&n->starts[address >> INDEX_PAGE_BITS &
					 (INDEX_NODE_PAGES - 1)],
			 __ATOMIC_RELAXED) &
			index_start_bit(address)) != 0;
}

#endif
