/* SPDX-License-Identifier: MIT */
/*
 * regions.h - what an address belongs to that is no tracked block: the map of
 * the process, read again when an address is in none of its lines.
 */
#ifndef WEFT_INPROC_MEM_REGIONS_H
#define WEFT_INPROC_MEM_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

struct region_hit {
	enum mem_place place;
	uint32_t number; /* of a MEM_REGION record, 0: has none */
};

/* A region that is hit for the first time is written. */
struct region_hit regions_at(struct outbuf *o, uint64_t address);

/* Are both in one mapping, as it was looked up last? */
bool regions_are_one(uint64_t address, uint64_t other);

/* The map may be read again. Once a round of the drain. */
void regions_tick(void);

/* After fork: they are to be written again. */
void regions_forked(void);

#endif
