/* SPDX-License-Identifier: MIT */
/*
 * track.h - what the hooks tell of allocations, and the tables they fill.
 *
 *	if (track_is_plain(size))
 *		return real.malloc(size);
 *	track_begin(&t, size);        notes the time, if it is tracked
 *	p = real.malloc(size);
 *	track_end(&t, p, size, ...);  in the index from now on
 *
 * Each step leaves errno alone and does nothing in a handler that interrupted
 * another one of the same thread.
 */
#ifndef WEFT_INPROC_MEM_TRACK_H
#define WEFT_INPROC_MEM_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/index.h"
#include "inproc/mem/self.h"

enum { TRACK_BATCH = 64 /* blocks that are made or used again at once */ };

/* What the hooks look at first. */
/* Written at the load, and behind a fork, when there is one thread. */
struct track {
	uint64_t min_bytes;   /* SIZE_MAX: nothing is tracked */
	uint64_t small_bytes; /* below, one byte in so many is sampled; 0: none
	                       */
	bool is_on;
	uint32_t epoch; /* atomic, by who holds the drain's lock: of the module
	                   map */
	uint64_t lib_lo, lib_hi; /* our own code */
	struct index heap, maps, pools;
};

extern struct track track;

/* A new block in the making. */
struct track_new {
	struct self *self; /* NULL: it is not tracked */
	uint64_t born;
	uint16_t weight;
	uint8_t state; /* BLOCK_SMALL or 0 */
};

/* Is a block of this size plain: below the threshold, and not sampled? To be
 * asked once a block: each call brings the next sample nearer. */
static inline bool
track_is_plain(size_t size)
{
	return size < track.min_bytes && (self_tls.until -= (int64_t)size) >= 0;
}

/* Tracks a block of at least the threshold, and a smaller one if
 * track_is_plain() has just said no; other blocks may come here as well. */
void track_begin(struct track_new *t, size_t size);

/* frame: of the hook, by __builtin_frame_address(0). */
void track_end(struct track_new *t, struct index *ix, uint8_t kind,
	const void *p, size_t size, const void *frame);

/* The live block that begins there, or NULL. */
struct block *track_live(struct index *ix, const void *p);

/* The live block that the address lies in, or NULL. */
struct block *track_covering(struct index *ix, const void *p);

/* Marks the block that begins there dead and counts it as freed, or NULL. */
struct block *track_dying(struct index *ix, const void *p);

/* Undoes track_dying(): the block lives on, as if nothing had been. was: a copy
 * from then, as the drain may have taken the entry meanwhile. */
void track_undying(struct block *b, const struct block *was);

/* Confirms track_dying(): hands the block to the drain. */
void track_dead(struct block *b);

/* Takes the bytes from blocks of mappings: a block of which nothing is left is
 * freed, one that loses an end is smaller, one that loses its middle is two. */
void track_unmapped(uint64_t lo, uint64_t size);

/* Undoes track_unmapped() of bytes that were of a block like this one, except
 * that they are a block of their own now. */
void track_mapped_again(const struct block *of, uint64_t lo, uint64_t size);

/* Drops the addresses in our own code. Returns how many are left. */
int track_without_us(uint64_t *path, int n);

/* Blocks that the drain does not need any more, linked by `dead`. */
void track_reuse(struct block *batch);

/* Around fork: nobody is within the list of free blocks. */
void track_hold(void);
void track_let_go(void);

#endif
