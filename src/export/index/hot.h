/* SPDX-License-Identifier: MIT */
/*
 * hot.h - columns in which classes of interest have a record, also one without
 * length.
 */
#ifndef WEFT_EXPORT_INDEX_HOT_H
#define WEFT_EXPORT_INDEX_HOT_H

#include "export/index/query.h"

struct hot {
	const uint8_t *class;
	int n;          /* at most 8 */
	uint8_t *found; /* by column: bit i is of class[i]; added to */
};

/* Not for numbers; range.from >= 0. */
bool hot_find(struct index_query *q, uint32_t series, struct index_range range,
	const struct hot *hot);

#endif
