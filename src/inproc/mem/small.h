/* SPDX-License-Identifier: MIT */
/*
 * small.h - finds the tracked block that a small untracked block most likely
 * resembles.
 *
 * Of blocks below the threshold one in some thousands is tracked, drawn in
 * proportion to its bytes. A tracked block of the same size nearby was most
 * likely allocated by the same code. Where several sites allocate blocks of one
 * size in turn, the nearest block's site is a guess: it is right in proportion
 * to the site's share of such blocks. is_mixed reports this case.
 */
#ifndef WEFT_INPROC_MEM_SMALL_H
#define WEFT_INPROC_MEM_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/mem/block.h"

/* Returns the nearest small heap block that was alive at that time, or NULL; if
 * the size of the block at the address can be determined, only one of that
 * size. is_mixed: blocks of another path lie at a similar distance. */
struct block *small_like(uint64_t address, uint64_t ticks, bool *is_mixed);

/*
 * Returns the bytes that the C library's heap uses for the block that contains
 * bytes[at], or 0 if no block is recognized; *lo: its start. A word with the
 * size precedes each block; a candidate word must lead to further such words.
 */
uint64_t small_size_at(
	const unsigned char *bytes, size_t n, size_t at, size_t *lo);

/* Returns the bytes that the heap uses for a block requested with this size. */
uint64_t small_size_of(uint64_t asked);

#endif
