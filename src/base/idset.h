/* SPDX-License-Identifier: MIT */
/*
 * idset.h - a set of ids that only grows, for ids that come in runs.
 *
 * Ids are kept as bits in pages of 4096; a page that is full shrinks to one
 * mark. So the ids 1, 2, 3... of a long run take no more memory than the last
 * of its pages. {0} is an empty set.
 */
#ifndef WEFT_BASE_IDSET_H
#define WEFT_BASE_IDSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct idset {
	struct map pages; /* id / 4096 -> page, or the mark of a full one */
	struct idset_page
		*spare; /* the last page that became full, for reuse */
};

void idset_add(struct idset *s, uint64_t id);
bool idset_has(const struct idset *s, uint64_t id);
void idset_fini(struct idset *s);

#endif
