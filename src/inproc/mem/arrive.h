/* SPDX-License-Identifier: MIT */
/*
 * arrive.h - tells how a thread reached an instruction that several paths lead
 * to.
 *
 * The instruction executed last is to blame; at a jump target that is either
 * the instruction above or a jump. The registers rule some paths out: if the
 * instructions above were executed, the registers hold their results; if the
 * backward jump of a loop was taken, the flags satisfy its condition.
 */
#ifndef WEFT_INPROC_MEM_ARRIVE_H
#define WEFT_INPROC_MEM_ARRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"
#include "inproc/mem/replay.h"

/* Tells how the thread reached the target of a loop's backward jump. */
enum arrival { ARRIVED_SOMEHOW, ARRIVED_FROM_ABOVE, ARRIVED_BY_JUMP };
enum arrival arrive_at_loop(const struct code *c, uint64_t ip,
	const struct replay *now, uint64_t flags);

/* Returns the first jump back to ip, or 0 if it is far away. */
uint64_t arrive_jump(const struct code *c, uint64_t ip);

/* Returns the jump through a table in memory that led to ip, where nothing else
 * leads, and stores the address of the table's entry. Returns 0 if another kind
 * of jump led there. */
uint64_t arrive_table(const struct code *c, uint64_t ip,
	const struct replay *now, uint64_t *address);

#endif
