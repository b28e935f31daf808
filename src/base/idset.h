/* SPDX-License-Identifier: MIT */
/*
 * idset.h - a set of ids that only grows, for mostly consecutive ids.
 *
 * Ids are kept as bits in small pages; a page that is full becomes one bit of a
 * page of pages. So consecutive ids 1, 2, 3... take no more memory than the
 * last of their pages, and an id far from all others takes some 130 bytes. {0}
 * is an empty set.
 */
#ifndef WEFT_BASE_IDSET_H
#define WEFT_BASE_IDSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct idset {
	struct map pages; /* id / 512 -> page, unless it is full */
	struct map full;  /* numbers of the full pages, kept in pages as well */
};

void idset_add(struct idset *s, uint64_t id);
bool idset_has(const struct idset *s, uint64_t id);
void idset_fini(struct idset *s);

#endif
