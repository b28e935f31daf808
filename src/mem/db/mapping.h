/* SPDX-License-Identifier: MIT */
/*
 * mapping.h - the address space of a process as a recording tells it: what was
 * mapped last lies on top, and cuts what was there before.
 *
 *	mappings_add(&m, &arena, &(struct mapping){ lo, hi, "[heap]" });
 *	struct mapping *at = mappings_above(&m, address);
 *
 * Nobody tells of unmapping: what was not covered since, still counts as there.
 */
#ifndef WEFT_MEM_DB_MAPPING_H
#define WEFT_MEM_DB_MAPPING_H

#include <stdint.h>

#include "base/vec.h"
#include "mem/wire.h"

struct mapping {
	uint64_t lo, hi, offset;
	const char *name; /* as in /proc/PID/maps; "//anon" for none */
	enum mem_place place;
	uint32_t region; /* its number, 0: not yet told */
};

struct mappings {
	VEC(struct mapping) list; /* by address; no two overlap */
};

/* What a mapping of that name is. */
enum mem_place mapping_place(const char *name, bool is_shared);

void mappings_add(
	struct mappings *m, struct arena *a, const struct mapping *new);

/* The mapping of an address, or else the next one above it: a stack grows down.
 * NULL: there is none. Valid until the next one is added. */
struct mapping *mappings_above(const struct mappings *m, uint64_t address);

#endif
