/* SPDX-License-Identifier: MIT */
/*
 * block.h - an entry of the table of allocated blocks.
 *
 * Nothing is added to the block itself. The thread that allocates writes an
 * entry, the thread that frees marks it dead, and only the drain removes it
 * from the index and reuses it, when no more samples can refer to it. Until
 * then it may be revived: a loop that allocates and frees at one address needs
 * only one entry, and its lives count as one.
 */
#ifndef WEFT_INPROC_MEM_BLOCK_H
#define WEFT_INPROC_MEM_BLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The allocating thread writes all fields before the entry is in the index;
 * afterwards only those fields change whose comments say so. */
struct block {
	struct block *next; /* atomic; the next entry of the index whose block
	                     * starts in the same page. Written by the thread
	                     * that adds the entry, then by the drain */
	struct block *dead; /* next in a list of dead entries: written by the
	                     * thread that frees the block, then by the drain;
	                     * of free entries: by the list's owner */
	uint64_t lo;
	uint64_t size; /* may grow when the entry is revived: written by the
	                * thread that changed died; read by any thread */
	uint64_t born;
	/* time when the block was freed, in ticks; atomic; 0: the block lives,
	 * BLOCK_CLAIMED: it is being removed. Written by threads that free or
	 * revive, and by the drain when it claims a block */
	uint64_t died;
	uint32_t path;
	uint32_t object; /* number of the object once a sample has hit the
	                  * block, else 0; used by the drain */
	uint16_t weight; /* number of blocks it stands for */
	uint16_t name;   /* number of its name, or 0; written by the naming
	                  * thread before BLOCK_NAMED */
	uint8_t kind;    /* enum mem_object_kind */
	uint8_t state;   /* atomic, bits: BLOCK_LISTED... */
	uint16_t thread; /* number of the allocating thread's self */
};

enum {
	BLOCK_LISTED = 1,    /* in a list of dead blocks */
	BLOCK_OUT = 2,       /* no longer in the index */
	BLOCK_NAMED = 4,     /* its name must be written to the file */
	BLOCK_SMALL = 8,     /* below the threshold: a random sample */
	BLOCK_INHERITED = 16 /* rest of a block from before fork */
};

/* Value of `died` while the drain removes the block, which then stays dead.
 * Less than any time. */
#define BLOCK_CLAIMED 1

static_assert(sizeof(struct block) == 64, "a block is a line of the cache");

static inline bool
block_is_alive(const struct block *b, uint64_t at)
{
	uint64_t died = __atomic_load_n(&b->died, __ATOMIC_RELAXED);

	return b->born <= at && (died == 0 || at < died);
}

#endif
