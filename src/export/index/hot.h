/* SPDX-License-Identifier: MIT */
/*
 * hot.h - finds the columns in which highlighted classes have a record, even
 * one without length.
 */
#ifndef WEFT_EXPORT_INDEX_HOT_H
#define WEFT_EXPORT_INDEX_HOT_H

#include "export/index/query.h"

struct hot {
	const uint8_t *class;
	int n;          /* at most 8 */
	uint8_t *found; /* by column: bit i stands for class[i]; the function
	                 * only adds bits */
};

/* Finds the columns of a range, which begins at 0 or later. The series may not
 * be of numbers. Returns false with q->state. */
bool hot_find(struct index_query *q, uint32_t series, struct index_range range,
	const struct hot *hot);

#endif
