/* SPDX-License-Identifier: MIT */
/*
 * column.h - encodes the content of one column of a tile; tile.h says which
 * bytes these are.
 */
#ifndef WEFT_EXPORT_INDEX_COLUMN_H
#define WEFT_EXPORT_INDEX_COLUMN_H

#include "export/index/hot.h"
#include "export/varint.h"

#define COLUMN_CLASSES 126 /* most classes of a column */
/* Most bytes of a content: classes, or four numbers. */
#define COLUMN_BYTES (2 + COLUMN_CLASSES * (1 + VARINT_MOST) + 4 * VARINT_MOST)

/* How the columns of a row are divided into quanta. */
struct column_scale {
	int q;            /* quanta of a column */
	int least;        /* quanta of a class that has time, 0 or 1 */
	index_wide whole; /* sum of all shares of a column */
	/* The quanta of times up to `most` are a product with `factor`, less
	 * its lowest 64 + shift bits. 0: divide. */
	uint64_t most;
	uint64_t factor;
	unsigned shift;
};

/* Sets the scale; whole is at least 1. Classes with little time are dropped
 * until `least` is set. */
void column_scale(struct column_scale *s, int q, index_wide whole);

/* Each writes the content of a column and returns its end. */

/* For states and ids. `found`: bits of the highlighted classes that the column
 * has, see hot.h. */
uint8_t *column_put_classes(const struct column_scale *s, const struct hot *hot,
	uint8_t found, const struct index_column *c, uint8_t *at);

/* For ids, behind the classes. */
uint8_t *column_put_id(uint64_t changes, int64_t longest, uint8_t *at);
uint8_t *column_put_points(const struct index_column *c, uint8_t *at);
uint8_t *column_put_numbers(const struct index_extent *e, uint8_t *at);

#endif
