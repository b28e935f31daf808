/* SPDX-License-Identifier: MIT */
/*
 * track.h - records the allocations that the hooks report, in tables.
 *
 *	if (track_is_plain(size))
 *		return real.malloc(size);
 *	track_begin(&t, size);        notes the time, if it is tracked
 *	p = real.malloc(size);
 *	track_end(&t, p, size, ...);  in the index from now on
 *
 * Each step keeps errno, and does nothing in a handler that interrupted another
 * step of the same thread.
 */
#ifndef WEFT_INPROC_MEM_TRACK_H
#define WEFT_INPROC_MEM_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/index.h"
#include "inproc/mem/self.h"

enum { TRACK_BATCH = 64 /* blocks that are made or reused at once */ };

/* The hooks check this first. Written at load, and after a fork, while there is
 * one thread. */
struct track {
	uint64_t min_bytes;   /* SIZE_MAX: nothing is tracked */
	uint64_t small_bytes; /* one byte in so many is sampled of smaller
	                       * blocks; 0: no byte */
	bool is_on;
	uint32_t epoch; /* epoch of the module map; atomic, written under the
	                 * drain's lock */
	uint64_t lib_lo, lib_hi; /* addresses of our own code */
	struct index heap, maps, pools;
};

extern struct track track;

/* Returns true for an address in our own code. */
static inline bool
track_is_ours(uint64_t ip)
{
	return ip - track.lib_lo < track.lib_hi - track.lib_lo;
}

/* A block that is being allocated. */
struct track_new {
	struct self *self; /* NULL: not tracked */
	uint64_t born;
	uint16_t weight;
	uint8_t state; /* BLOCK_SMALL or 0 */
};

/* Returns true if a block of this size need not be tracked: it is below the
 * threshold and not sampled. Call it once per block: each call brings the next
 * sample nearer. */
static inline bool
track_is_plain(size_t size)
{
	return size < track.min_bytes && (self_tls.until -= (int64_t)size) >= 0;
}

/* Begins to track a block of at least the threshold, or a smaller one if
 * track_is_plain() has just returned false; other blocks are allowed, too. */
void track_begin(struct track_new *t, size_t size);

/* Completes a block. frame: the hook's, by __builtin_frame_address(0). */
void track_end(struct track_new *t, struct index *ix, uint8_t kind,
	const void *p, size_t size, const void *frame);

/* Returns the live block that begins at p, or NULL. */
struct block *track_live(struct index *ix, const void *p);

/* Returns the live block that contains p, or NULL. */
struct block *track_covering(struct index *ix, const void *p);

/* Returns the number of the call path of the live block that contains p, or 0;
 * ALLOCATED_UNSEEN in a thread that cannot look. */
uint32_t track_path(struct index *ix, const void *p);

/* Marks the block that begins at p as dead and counts it as freed. Returns it,
 * or NULL. */
struct block *track_dying(struct index *ix, const void *p);

/* Undoes track_dying(): the block lives on. was: a copy from before, as the
 * drain may have taken the entry meanwhile. */
void track_undying(struct block *b, const struct block *was);

/* Confirms track_dying(): queues the block for the drain. */
void track_dead(struct block *b);

/* Removes bytes from blocks of mappings: a block without bytes left is freed,
 * one that loses an end becomes smaller, one that loses its middle becomes
 * two. */
void track_unmapped(uint64_t lo, uint64_t size);

/* Undoes track_unmapped() for bytes of a block like `of`, but as a separate
 * block. */
void track_mapped_again(const struct block *of, uint64_t lo, uint64_t size);

/* Removes addresses in the recorder's own code. Returns how many are left. */
int track_without_us(uint64_t *path, int n);

/* Takes back blocks that the drain no longer needs, linked by `dead`. */
void track_reuse(struct block *batch);

/* Called around fork: no thread is in the list of free blocks. */
void track_hold(void);
void track_let_go(void);

#endif
