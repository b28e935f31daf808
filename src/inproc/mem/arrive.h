/* SPDX-License-Identifier: MIT */
/*
 * arrive.h - how a thread came to an instruction that several ways lead to.
 *
 * What was executed last is to blame, and behind a label that is either the
 * instruction above it or a jump. The registers tell some of the ways apart:
 * had it come from above, they would hold what the instructions there make of
 * them; had a loop jumped back, the flags would be as its condition wants them.
 */
#ifndef WEFT_INPROC_MEM_ARRIVE_H
#define WEFT_INPROC_MEM_ARRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"
#include "inproc/mem/replay.h"

/* Where loops are jumped back to. */
enum arrival { ARRIVED_SOMEHOW, ARRIVED_FROM_ABOVE, ARRIVED_BY_JUMP };
enum arrival arrive_at_loop(const struct code *c, uint64_t ip,
	const struct replay *now, uint64_t flags);

/* The first jump back to there, or 0 if that is far. */
uint64_t arrive_jump(const struct code *c, uint64_t ip);

/* The jump through a table in memory that led to where nothing else does, and
 * the address of its entry; 0: there is none, it was another jump. */
uint64_t arrive_table(const struct code *c, uint64_t ip,
	const struct replay *now, uint64_t *address);

#endif
