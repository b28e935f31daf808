/* SPDX-License-Identifier: MIT */
/*
 * heap.h - the drain's account of allocations: takes dead blocks, sums sites
 * and the whole heap, and decides which entries may be reused.
 */
#ifndef WEFT_INPROC_MEM_HEAP_H
#define WEFT_INPROC_MEM_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

/* Takes the dead blocks of all threads. All samples before `before` (ticks)
 * have been looked up. */
void heap_tick(uint64_t before);

/* Writes changes: the heap, and the sites from time to time and at the end. */
void heap_write(struct outbuf *o, bool is_last);

void heap_forked(void);

#endif
