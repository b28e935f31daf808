/* SPDX-License-Identifier: MIT */
/*
 * small.h - which tracked block a small one that is not tracked may be like.
 *
 * Of blocks below the threshold one in some thousands is tracked, drawn by its
 * bytes. One that lies near was most likely allocated by the same code, if it
 * has the same size. Where code of several sites allocates blocks of one size
 * in turn, the nearest one's site is a guess that is right as often as the site
 * has such blocks, whichever of them are in use: that is told.
 */
#ifndef WEFT_INPROC_MEM_SMALL_H
#define WEFT_INPROC_MEM_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/block.h"

/* The nearest small block in the index of the heap that was alive then, of the
 * size of the block that has the address where that can be known; or NULL.
 * is_mixed: some that are not much further are of another path. */
struct block *small_like(uint64_t address, uint64_t ticks, bool *is_mixed);

/*
 * The bytes that the C library's heap takes for the block that has the byte at
 * bytes[at], or 0: no block is seen there; *lo: where it begins. Each block
 * stands behind a word with its size; what looks like such a word must lead to
 * further ones.
 */
uint64_t small_size_at(
	const unsigned char *bytes, size_t n, size_t at, size_t *lo);

/* What that heap takes for a block that was asked for with this size. */
uint64_t small_size_of(uint64_t asked);

#endif
