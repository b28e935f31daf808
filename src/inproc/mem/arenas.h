/* SPDX-License-Identifier: MIT */
/*
 * arenas.h - tells whether memory belongs to a heap that the C library made for
 * threads.
 *
 * Such a heap begins at a multiple of 64 MiB, with the address of its arena,
 * which lies in this heap or in an earlier one of the same arena. Another
 * mapping at such an address is told apart because no arena refers to it. All
 * reads are safe, since the memory may hold anything or be unmapped.
 */
#ifndef WEFT_INPROC_MEM_ARENAS_H
#define WEFT_INPROC_MEM_ARENAS_H

#include <stdbool.h>
#include <stdint.h>

bool arenas_have(uint64_t address);

/* Forgets all answers: heaps may have been mapped or unmapped. */
void arenas_forget(void);

#endif
