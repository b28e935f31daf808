/* SPDX-License-Identifier: MIT */
/*
 * heap.h - the drain's book of allocations: what died, what sites and the whole
 * heap amount to, and which entries may be used again.
 */
#ifndef WEFT_INPROC_MEM_HEAP_H
#define WEFT_INPROC_MEM_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

/* Takes the dead blocks of all threads. All samples up to `before` (ticks) have
 * been looked up. */
void heap_tick(uint64_t before);

/* Writes what has changed: the heap, and the sites now and then or at the
 * end. */
void heap_write(struct outbuf *o, bool is_last);

void heap_forked(void);

#endif
