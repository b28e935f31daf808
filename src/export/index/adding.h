/* SPDX-License-Identifier: MIT */
/*
 * adding.h - adds the series of a group of rows to the sums of all columns.
 *
 * A series with few records for each column is walked record by record, and
 * each interval is added; of others, differences of running sums are added.
 */
#ifndef WEFT_EXPORT_INDEX_ADDING_H
#define WEFT_EXPORT_INDEX_ADDING_H

#include "export/index/sums.h"

/* Walking over this many records costs as much as the running sums of one
 * column. */
#define ADDING_RECORDS 32
#define ADDING_AT_ONCE 16 /* series that are best added by one call */

/* Adds n series of a group to the sums. Returns false with q->state. */
bool adding_rows(struct sums *s, struct index_query *q, const uint32_t *series,
	size_t n);

#endif
