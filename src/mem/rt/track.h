/* SPDX-License-Identifier: MIT */
/*
 * track.h - what the hooks tell of allocations, and the tables they fill.
 *
 *	track_begin(&t, size);        is it tracked? notes the time
 *	p = real.malloc(size);
 *	track_end(&t, p, size, ...);  in the index from now on
 *
 * Each step leaves errno alone and does nothing in a handler that interrupted
 * another one of the same thread.
 */
#ifndef WEFT_MEM_RT_TRACK_H
#define WEFT_MEM_RT_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mem/rt/index.h"
#include "mem/rt/self.h"

/* What the hooks look at first. */
struct track {
	uint64_t min_bytes;   /* SIZE_MAX: nothing is tracked */
	uint64_t small_bytes; /* below, one byte in so many is sampled; 0: none
	                       */
	bool is_on;
	uint32_t epoch;          /* of the module map */
	uint64_t lib_lo, lib_hi; /* our own code */
	struct index heap, maps, pools;
};

extern struct track track;

/* A new block in the making. */
struct track_new {
	struct self *self; /* NULL: it is not tracked */
	uint64_t born;
	uint16_t weight;
};

/* Is a block of this size plain: below the threshold, and not sampled? */
static inline bool
track_is_plain(size_t size)
{
	return size < track.min_bytes && (self_tls.until -= (int64_t)size) >= 0;
}

/* To be called when track_is_plain() said no. */
void track_begin(struct track_new *t, size_t size);

/* frame: of the hook, by __builtin_frame_address(0). */
void track_end(struct track_new *t, struct index *ix, uint8_t kind,
	const void *p, size_t size, const void *frame);

/* The live block that begins there, or NULL. */
struct block *track_live(struct index *ix, const void *p);

/* Marks the block that begins there dead, or NULL. */
struct block *track_dying(struct index *ix, const void *p);

/* It is not, after all. */
void track_undying(struct block *b);

/* It is: hands it to the drain. */
void track_dead(struct block *b);

/* Blocks of a mapping that went, wholly or in part; the rest lives on. */
void track_unmapped(uint64_t lo, uint64_t size);

/* Drops the addresses in our own code. Returns how many are left. */
int track_without_us(uint64_t *path, int n);

/* A block that the drain does not need any more. */
void track_reuse(struct block *b);

#endif
