/* SPDX-License-Identifier: MIT */
/*
 * index.h - which block lay at an address at a time.
 *
 * A page of the address space has the list of blocks that begin in it; a
 * bitmap of pages with a list finds the nearest one below. Whoever allocates
 * pushes (one compare-and-swap), whoever frees marks; only the drain looks up
 * by time and takes out, so that its look-ups need no lock and no epoch:
 *
 *	index_add(&ix, b);                  any thread
 *	b = index_starting(&ix, address);   any thread, to free
 *	hit = index_at(&ix, address, time); the drain
 *	index_sweep(&ix, b);                the drain
 *
 * Threads that walk a list (index_starting) may meet an entry that was taken
 * out: it must not be used again while they are busy, see self.h.
 */
#ifndef WEFT_INPROC_MEM_INDEX_H
#define WEFT_INPROC_MEM_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/block.h"

enum {
	INDEX_PAGE_BITS = 12,
	INDEX_NODE_BITS = 30, /* of addresses that one node covers */
	INDEX_NODE_PAGES = 1 << (INDEX_NODE_BITS - INDEX_PAGE_BITS),
	INDEX_WORDS = INDEX_NODE_PAGES / 64,
	INDEX_SUMS = INDEX_WORDS / 64,
	INDEX_NODES = 1 << (47 - INDEX_NODE_BITS),
	INDEX_STARTS = 48 /* parts of a page */
};

/* Atomic, all of it: threads add, the drain takes out. */
struct index_node {
	struct block *first[INDEX_NODE_PAGES];
	/* Bits of the parts of a page in which live blocks of its list begin;
	 * above them, how often one was added or lived again, for those who
	 * take bits away. */
	uint64_t starts[INDEX_NODE_PAGES];
	uint64_t page[INDEX_WORDS]; /* a bit a page with a list */
	uint64_t sum[INDEX_SUMS];   /* a bit a word that ever had one */
};

struct index {
	struct index_node *node[INDEX_NODES]; /* atomic, made by any thread */
	uint64_t longest; /* atomic, any thread: bytes of the largest block
	                     ever */
	uint64_t since;   /* ticks; an entry born before is never revived;
	                     written in a child of fork, before its threads */
	bool nests; /* a block may lie in another one; from the start on */
	uint32_t emptied; /* atomic, the drain's: odd while a page's bit may be
	                     missing */
};

struct index_hit {
	struct block *block; /* NULL: none */
	bool is_freed;       /* it was dead by then: nothing else was there */
};

/* False: no memory, or no address of a program. */
bool index_add(struct index *ix, struct block *b);

/* The live block that begins there, or NULL. */
struct block *index_starting(struct index *ix, uint64_t address);

/* The live block with the largest start at or below the address, or NULL. */
struct block *index_below(struct index *ix, uint64_t address);

/* What lay at the address at that time. */
struct index_hit index_at(struct index *ix, uint64_t address, uint64_t time);

/* A dead entry that fits the new one, alive again and of its size, or NULL. */
struct block *index_revive(struct index *ix, const struct block *b);

/* A block was marked dead, and that was taken back. */
void index_lives_again(struct index *ix, const struct block *b);

/* Tells all that begin in the pages of [lo, hi), the drain. */
void index_within(struct index *ix, uint64_t lo, uint64_t hi,
	void (*each)(void *arg, struct block *b), void *arg);

/* Takes out all that are claimed and begin in the page of b. */
void index_sweep(struct index *ix, const struct block *b);

static inline uint64_t
index_start_bit(uint64_t address)
{
	uint64_t at = address & ((1u << INDEX_PAGE_BITS) - 1);

	return (uint64_t)1 << (at * INDEX_STARTS >> INDEX_PAGE_BITS);
}

/* May a tracked block begin there? Inline: the way of every free. Most blocks
 * that share a page with a tracked one are told apart by where they begin. */
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
