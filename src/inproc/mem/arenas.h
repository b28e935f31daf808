/* SPDX-License-Identifier: MIT */
/*
 * arenas.h - whether memory is one of the heaps that the C library makes for
 * threads.
 *
 * Such a heap begins at a multiple of 64 MiB and names its arena there, which
 * lies in it or in an earlier heap of that arena. What else is mapped at such
 * an address is no heap: it has no arena that knows it. What is read is read
 * with care, for it may be anything, or be gone.
 */
#ifndef WEFT_INPROC_MEM_ARENAS_H
#define WEFT_INPROC_MEM_ARENAS_H

#include <stdbool.h>
#include <stdint.h>

bool arenas_have(uint64_t address);

/* Heaps may have come and gone. */
void arenas_forget(void);

#endif
