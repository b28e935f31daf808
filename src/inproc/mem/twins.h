/* SPDX-License-Identifier: MIT */
/*
 * twins.h - finds loads of a loop that step through their arrays alike.
 *
 *	sum += a[k] + b[k] + c[k];
 *
 * No load needs another's result, so all wait at the same time; but they retire
 * in the order of the code, and samples find the first one waiting for all. A
 * sample shows only that one of them waited. Loads of one width with one index
 * touch the cache lines of their arrays in the same order, equally often: none
 * waits more than another, so samples are charged to them in turn.
 *
 * The exception is an array that the loop starts again and again (the vector of
 * a matrix product, whose rows are always new): its addresses span less than
 * those of the other array, and such an array has no twin.
 */
#ifndef WEFT_INPROC_MEM_TWINS_H
#define WEFT_INPROC_MEM_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"
#include "inproc/mem/replay.h"

enum { TWINS = 8 };

struct twins {
	uint64_t of; /* the load whose twins they are; 0: unused */
	int n;
	unsigned turn, seen;
	struct twin {
		uint64_t ip, lo, hi; /* range of addresses seen */
		uint8_t operand;
	} twin[TWINS];
};

/* Finds the twins of a load and its operand, the load itself included; n < 2:
 * none. */
void twins_find(struct twins *t, const struct code *c,
	const struct instruction *load, uint8_t operand);

/* Returns in turn the next twin and its address; false: keep the load's own. */
bool twins_next(struct twins *t, const struct code *c, const struct replay *now,
	uint64_t *ip, uint64_t *address);

#endif
