/* SPDX-License-Identifier: MIT */
/*
 * tile.h - encodes 256 columns of some rows as bytes for the page.
 *
 *	"WT1\0", u16 rows, u16 columns, u8 q, u8 kind, u16 0, u64 watermark
 *	a row: varint number of bytes that follow, u8 coarse, runs
 *	a run: u8 c, the column's content, varint columns that it stands for
 *
 * Integers are little endian. c: bits 0-6 are the number of classes that
 * follow, 0 outside of the trace; bit 7 is set if classes were dropped. 0x80:
 * the index is damaged here. Contents by kind:
 *
 *	TILE_STATES   c x { u8 class, u8 quanta }; no quanta if c is 1. If q is
 *	              0, a column has TILE_FINE quanta, as varints
 *	TILE_IDS      as states, then varint changes, zigzag longest value
 *	TILE_NUMBERS  c is 1, zigzag min, max, mean, last: each VALUE_NONE if
 *	              nothing has a value
 *	TILE_POINTS   c x { u8 class, varint count }; none: c is 1, class 255,
 *	              count 0
 *
 * The quanta of a column add up to q. Each class gets floor(time * q / width)
 * and is dropped if this is 0, unless it is highlighted ("hot"); the largest
 * class gets the rest. In a group, a class that has time gets one at least: few
 * active rows among many would have none.
 */
#ifndef WEFT_EXPORT_INDEX_TILE_H
#define WEFT_EXPORT_INDEX_TILE_H

#include "export/index/query.h"

#define TILE_COLUMNS 256
#define TILE_ROWS 256
#define TILE_MOST 8 /* tiles that are encoded at once */
#define TILE_HOT 8
#define TILE_DAMAGED 0x80
#define TILE_FINE ((1 << 30) - 1) /* quanta for exact shares of many rows */

enum tile_kind { TILE_STATES, TILE_IDS, TILE_NUMBERS, TILE_POINTS };

struct tile_row {
	bool group;
	uint32_t id; /* id of the row, or number of the group */
};

struct tile_params {
	uint32_t type;
	uint32_t lane;
	int64_t width, number; /* the tile lasts from number * 256 * width to
	                        * (number + 1) * 256 * width */
	int tiles; /* this tile and the next ones: 1 to TILE_MOST. They cost
	            * less than one by one, because each row is found once. */
	int q;     /* 15, 63, 255 or TILE_FINE */
	int nrows, nhot;
	const struct tile_row *rows; /* at most TILE_ROWS */
	const uint8_t *hot;          /* classes, at most TILE_HOT */
};

struct tile_bytes {
	const uint8_t *at; /* from the arena */
	size_t n;
};

/* Returns NULL if the tile is possible; otherwise the name of the wrong
 * parameter as requests have it ("w", "i", "n", "q", "rows", "hot", "type",
 * "lane"). */
const char *tile_refuse(const struct index *ix, const struct tile_params *p);

/* Returns true if the width is on the ladder: 1, 2, 3, or m * 2^k with m from
 * 4 to 7. */
bool tile_on_ladder(int64_t width);

/* Returns what the columns of a type contain. */
enum tile_kind tile_kind(const struct index *ix, uint32_t type);

/* Encodes tiles whose parameters tile_refuse() accepted, one behind the other:
 * the same bytes as one by one. Damaged rows are marked in each tile. Returns
 * false with q->state. */
bool tile_encode(struct index_query *q, struct arena *a,
	const struct tile_params *p, struct tile_bytes *out);

#endif
