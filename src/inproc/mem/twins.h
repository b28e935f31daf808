/* SPDX-License-Identifier: MIT */
/*
 * twins.h - loads of a loop that go through their arrays alike.
 *
 *	sum += a[k] + b[k] + c[k];
 *
 * None needs what another one loads, so all wait at the same time; but they
 * retire in the order of the code, and the first is found waiting for all. What
 * a sample says is that one of them waited. Loads of one width with one index
 * touch lines of their arrays in the same order, equally often: none waits more
 * than another one, and samples are charged to them in turns.
 *
 * Unless one of the arrays is begun anew all the time (the vector of a product
 * with a matrix, whose rows are other ones each time): the addresses that it is
 * read at span less than those of the other one, and it is no twin.
 */
#ifndef WEFT_INPROC_MEM_TWINS_H
#define WEFT_INPROC_MEM_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"
#include "inproc/mem/replay.h"

enum { TWINS = 8 };

struct twins {
	uint64_t of; /* the load that they are twins of; 0: nothing */
	int n;
	unsigned turn, seen;
	struct twin {
		uint64_t ip, lo, hi; /* addresses that it was seen at */
		uint8_t operand;
	} twin[TWINS];
};

/* Of a load and its operand, the load itself among them; n < 2: it has none. */
void twins_find(struct twins *t, const struct code *c,
	const struct instruction *load, uint8_t operand);

/* Whose turn it is, and its address; false: the load's own, or not known. */
bool twins_next(struct twins *t, const struct code *c, const struct replay *now,
	uint64_t *ip, uint64_t *address);

#endif
