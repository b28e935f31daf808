/* SPDX-License-Identifier: MIT */
/*
 * pace.h - tells whether a load of a loop waited, or only was the oldest
 * instruction when the interrupt came.
 *
 * A processor that does not wait retires a few instructions per cycle, and an
 * interrupt finds one of them: in a loop, often the same load. In a loop over
 * two arrays that would charge the load whose data is always in the cache:
 *
 *	sum += row[k] * column[k * n];    a line of row lasts for eight rounds
 *
 * A load that advances by a few bytes per round waits only when it reaches a
 * new cache line; the rounds before used the same line. So samples at the other
 * rounds show how fast the loop runs, not that the load waits. Some of
 * the samples at rounds with a new line show only that, too: as many as at a
 * round without one.
 */
#ifndef WEFT_INPROC_MEM_PACE_H
#define WEFT_INPROC_MEM_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"

struct pace {
	int64_t stride;      /* bytes per round */
	int32_t owed;        /* samples at new lines to discount, in parts of a
	                      * line */
	uint8_t tries, same; /* number of strides seen; how many equal ones came
	                      * last */
	bool has_company;    /* the loop has another moving access */
};

/* Finds the innermost loop around ip: from *first up to *end. */
bool pace_find_loop(
	const struct code *c, uint64_t ip, uint64_t *first, uint64_t *end);

/* Begins for a load; without company all of its samples count. */
struct pace pace_begin(const struct code *c, const struct instruction *load);

/* Returns true while further strides are needed: the stride is known once
 * several equal strides follow each other. */
bool pace_wants_stride(const struct pace *p);
void pace_note_stride(struct pace *p, int64_t stride);

/* Returns true if the load of that many bytes did not wait. */
bool pace_is_at_hand(struct pace *p, uint64_t address, unsigned bytes);

#endif
