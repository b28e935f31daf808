/* SPDX-License-Identifier: MIT */
/*
 * pace.h - whether a load of a loop waited, or was only the oldest instruction
 * as the loop went by.
 *
 * A processor that waits for nothing retires a few instructions a cycle, and an
 * interrupt finds one of them: in a loop, often the same load. In a loop over
 * two arrays that would charge the one that is always at hand:
 *
 *	sum += row[k] * column[k * n];    a line of row lasts for eight rounds
 *
 * A load that moves by a few bytes a round waits for a line only when it comes
 * to a new one; the rounds before have fetched the others. So samples at those
 * tell how fast the loop goes, not that it waits. Of the samples at new lines
 * as many do, in proportion.
 */
#ifndef WEFT_INPROC_MEM_PACE_H
#define WEFT_INPROC_MEM_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"

struct pace {
	int64_t stride;      /* bytes a round */
	int32_t owed;        /* samples at new lines, in parts of a line */
	uint8_t tries, same; /* strides seen, equal ones at the end */
	bool has_company;    /* the loop touches something else that moves */
};

/* The innermost loop around ip: from *first up to *end. */
bool pace_find_loop(
	const struct code *c, uint64_t ip, uint64_t *first, uint64_t *end);

/* Of a load; without company all of its samples count. */
struct pace pace_begin(const struct code *c, const struct instruction *load);

/* A stride must be seen a few times before it counts. */
bool pace_wants_stride(const struct pace *p);
void pace_note_stride(struct pace *p, int64_t stride);

/* The load of so many bytes at the address did not wait. */
bool pace_is_at_hand(struct pace *p, uint64_t address, unsigned bytes);

#endif
