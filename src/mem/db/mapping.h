/* SPDX-License-Identifier: MIT */
/*
 * mapping.h - the address space of a process as perf record reports it: a new
 * mapping covers or cuts older ones.
 *
 *	mappings_add(&m, &arena, &(struct mapping){ lo, hi, "[heap]" });
 *	struct mapping *at = mappings_above(&m, address);
 *
 * perf does not record munmap(): memory counts as mapped until another mapping
 * covers it.
 */
#ifndef WEFT_MEM_DB_MAPPING_H
#define WEFT_MEM_DB_MAPPING_H

#include <stdint.h>

#include "base/vec.h"
#include "mem/wire.h"

struct mapping {
	uint64_t lo, hi, offset;
	const char *name; /* as in /proc/PID/maps; "//anon" for anonymous
	                   * memory */
	enum mem_area area;
	uint32_t region; /* number of its region in the image; 0: none yet */
};

struct mappings {
	VEC(struct mapping) list; /* by address; mappings do not overlap */
};

/* Returns the kind of memory of a mapping with that name. */
enum mem_area mapping_area(const char *name, bool is_shared);

void mappings_add(
	struct mappings *m, struct arena *a, const struct mapping *new);

/* Returns the mapping at an address, or the next one above it, because a stack
 * grows down; NULL if there is neither. The pointer is valid until the next
 * mapping is added. */
struct mapping *mappings_above(const struct mappings *m, uint64_t address);

#endif
