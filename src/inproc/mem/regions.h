/* SPDX-License-Identifier: MIT */
/*
 * regions.h - classifies addresses outside tracked blocks by the process's
 * memory map, which is read again for an address that is not in it.
 */
#ifndef WEFT_INPROC_MEM_REGIONS_H
#define WEFT_INPROC_MEM_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

struct region_hit {
	enum mem_area area;
	uint32_t number; /* number of a MEM_REGION record; 0: none */
};

/* Returns the region of an address; writes a region at its first hit. */
struct region_hit regions_at(struct outbuf *o, uint64_t address);

/* Returns true if both addresses are in one mapping of the map last read. */
bool regions_are_one(uint64_t address, uint64_t other);

/* Allows the map to be read again. Called once per round of the drain. */
void regions_tick(void);

/* After fork: regions are to be written again. */
void regions_forked(void);

#endif
