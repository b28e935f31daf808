/* SPDX-License-Identifier: MIT */
/*
 * slab.h - buffers of 64 bytes to 16 KiB for open chunks, in huge pages.
 *
 * Records of thousands of series arrive interleaved, so each one touches
 * another buffer: the cost is cache misses and TLB misses. Huge pages avoid
 * most TLB misses.
 */
#ifndef WEFT_EXPORT_INDEX_SLAB_H
#define WEFT_EXPORT_INDEX_SLAB_H

#include <stddef.h>
#include <stdint.h>

#define SLAB_SMALLEST 64
#define SLAB_SIZES 9 /* 64 << 0 to 64 << 8 */

struct slab_region {
	struct slab_region *next;
	size_t size;
};

struct slab {
	void *free[SLAB_SIZES]; /* lists through the first word */
	uint8_t *at, *end;      /* part of the newest region that is not cut
	                         * yet */
	struct slab_region *regions;
	size_t used;  /* bytes that were given out */
	size_t spare; /* bytes that lie in the lists */
};

/* Returns SLAB_SMALLEST << size bytes, which are not zeroed. */
void *slab_get(struct slab *s, int size);
void slab_put(struct slab *s, void *buffer, int size);
void slab_fini(struct slab *s);

/* Grows a zeroed array in pages of its own from old to size bytes, and returns
 * its new address. The first call passes NULL; size 0 frees the array. */
void *slab_array(void *array, size_t old, size_t size);

#endif
