/* SPDX-License-Identifier: MIT */
/*
 * block.h - what is known of one allocated block: the entry of a side table.
 *
 * Nothing is added to the block itself. An entry is written by the thread that
 * allocates, marked dead by the one that frees, and taken out of the index and
 * used again by the drain alone, once no sample can ask for it any more. Until
 * then it may live again: a loop that allocates and frees at one place needs
 * one entry, whose lives count as one.
 */
#ifndef WEFT_INPROC_MEM_BLOCK_H
#define WEFT_INPROC_MEM_BLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Who allocates writes all of it before it is in the index; then it is as it
 * was made but for the fields that are said to change. */
struct block {
	struct block *next; /* atomic; in the index: starts in the same page.
	                       Who adds it, then the drain */
	struct block *dead; /* next in a list of dead ones: of who dies it, then
	                       of the drain; of free ones: of whose list */
	uint64_t lo;
	uint64_t size; /* grows when it lives again: by who revives it, which
	                  has changed died; read by any thread */
	uint64_t born;
	uint64_t died; /* atomic, ticks; 0: alive, BLOCK_CLAIMED: going. Who
	                  frees or revives it, and the drain, which claims */
	uint32_t path;
	uint32_t object; /* its number once a sample has hit it, or 0; the
	                    drain's */
	uint16_t weight; /* blocks that it stands for */
	uint16_t name;   /* number of its name, or 0: of who names it, before
	                    BLOCK_NAMED */
	uint8_t kind;    /* enum mem_object_kind */
	uint8_t state;   /* atomic, bits: BLOCK_LISTED... */
	uint16_t thread; /* number of the self that allocated it */
};

enum {
	BLOCK_LISTED = 1,    /* in a list of dead ones */
	BLOCK_OUT = 2,       /* no longer in the index */
	BLOCK_NAMED = 4,     /* its name is to be written */
	BLOCK_SMALL = 8,     /* below the threshold: it was sampled */
	BLOCK_INHERITED = 16 /* left of one that came from before fork */
};

/* The drain has begun to take it out: it stays dead. Less than any time. */
#define BLOCK_CLAIMED 1

static_assert(sizeof(struct block) == 64, "a block is a line of the cache");

static inline bool
block_is_alive(const struct block *b, uint64_t at)
{
	uint64_t died = __atomic_load_n(&b->died, __ATOMIC_RELAXED);

	return b->born <= at && (died == 0 || at < died);
}

#endif
