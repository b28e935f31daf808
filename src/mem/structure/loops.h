/* SPDX-License-Identifier: MIT */
/*
 * loops.h - finds the loops in the code of a function: jumps back to an
 * instruction through which every way to the jump leads, or within code that
 * has one entry. The jump back from code that the compiler moved out of the way
 * makes no loop.
 *
 *	loops_find(&loops, &arena, bytes, address, size);
 *
 * The extent of a loop is from its first instruction to the end of the last
 * jump back to it. Loops are nested or disjoint.
 */
#ifndef WEFT_MEM_STRUCTURE_LOOPS_H
#define WEFT_MEM_STRUCTURE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

struct loop {
	uint64_t lo, hi;
	uint64_t jump; /* address of the last jump back */
};

struct loops {
	VEC(struct loop) list; /* by address, outer loops first */
};

/* Adds the loops of x86-64 code. Decoding ends at the first invalid
 * instruction. Adds none in a build without Zydis, and in functions so large
 * that the search would take long. */
void loops_find(struct loops *to, struct arena *a, const uint8_t *bytes,
	uint64_t address, size_t size);

#endif
