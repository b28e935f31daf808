/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - finds what a sampled address belongs to, in the terms of the
 * records.
 *
 * The most specific match wins: a range that the program registered, a live
 * block, a mapping, then stacks, modules and the rest of the map. Only the
 * drain uses these functions.
 */
#ifndef WEFT_INPROC_MEM_RESOLVE_H
#define WEFT_INPROC_MEM_RESOLVE_H

#include <stdint.h>

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

struct resolved {
	enum mem_area area;
	uint32_t ref;
};

/* s: the thread that used the address, or NULL. Objects and regions are written
 * to o at their first use. */
struct resolved resolve(struct outbuf *o, const struct self *s,
	uint64_t address, uint64_t ticks);

/* After fork: objects are to be written again. */
void resolve_forked(void);

#endif
