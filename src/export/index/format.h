/* SPDX-License-Identifier: MIT */
/*
 * format.h - the bytes of a timeline.widx.
 *
 * The file is a header of 4096 bytes and sections, which a table in the header
 * lists. All integers are little endian. Sections, chunks and their arrays
 * begin at multiples of 8 bytes.
 *
 * A chunk holds up to 4096 records of one series, in blocks of 256:
 *
 *	struct widx_chunk
 *	class_of[nseen] u8     slot -> class: the classes of the series so far
 *	abs[nseen] u64         time of each slot from the first record of the
 *	                       series to t_first; for punctual values, their
 *	                       number until then
 *	block_t[nblocks]       time of the first record, less t_first; u32, or
 *	                       u64 if the chunk is long
 *	block_off[nblocks] u32 byte of the chunk where the block's records begin
 *	local[nlocal] u8       slots that occur in this chunk: matrix columns
 *	sum[nblocks - 1][nlocal]  time of the slot from t_first to the start of
 *	                       the block, from the second block on; as block_t
 *	extent[nblocks]        struct widx_extent, with WIDX_EXTENTS
 *	total[nblocks]         struct widx_total, with WIDX_NUMBER
 *	records                bytes
 *
 * A chunk of numbers has neither slots nor matrix. A record is
 *
 *	varint    time less the time of the record before, or 0 in the first
 *	          record of a block; except for numbers, the lowest bits are the
 *	          slot: as many as nseen - 1 has, at least 1
 *	u8        slot, if nseen > 128: then the time has no such bits
 *	zigzag    value less the last one that was written in the block, or 0;
 *	          of numbers, and of slots whose class several values share
 *
 * A first record of a block that has no slot in its time has no time at all.
 *
 * Time, slot and value lie together, unlike the arrays above, because a record
 * is written as it arrives: this touches one cache line a record, however many
 * series there are.
 */
#ifndef WEFT_EXPORT_INDEX_FORMAT_H
#define WEFT_EXPORT_INDEX_FORMAT_H

#include <assert.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 index_uwide; /* sums, modulo 2^128 */

#define WIDX_MAGIC "WEFTIDX\1"
#define WIDX_VERSION 4
#define WIDX_ORDER 0x01020304
#define WIDX_SECTIONS 64
#define WIDX_BLOCK 256                      /* records */
#define WIDX_CHUNK 4096                     /* records */
#define WIDX_LENGTHS_LEAST (4 * WIDX_CHUNK) /* records of a long series */
#define WIDX_BLOCKS (WIDX_CHUNK / WIDX_BLOCK)
#define WIDX_CHUNK_BYTES (96u << 10) /* no chunk is larger */
#define WIDX_FAN \
	16 /* an extent of a level of the pyramid \
	    * covers so many of the level below */

enum widx_kind {
	WIDX_META = 1, /* JSON: title, version */
	WIDX_IDENTITY, /* JSON: identity.h */
	WIDX_ROWS,
	WIDX_TYPES,
	WIDX_LABELS,
	WIDX_PANELS,
	WIDX_KINDS, /* kinds of links */
	WIDX_FINDINGS,
	WIDX_LOSSES,    /* gaps */
	WIDX_SERIES,    /* struct widx_series by type, row, lane */
	WIDX_DIRECTORY, /* struct widx_entry: chunks of the first series...;
	                 * entries of several series may name the same chunk, if
	                 * its bytes are equal: the first entries of lane 1 of a
	                 * stack and of lane 0, or of two rows that had the same
	                 * records at first (follow.c) */
	WIDX_EXTENT,    /* struct widx_extent: chunks of a series, then of each
	                 * 16 chunks, of each 256... */
	WIDX_CHUNKS,    /* in the order of writing */
	WIDX_LINKS,     /* struct widx_link by from_time, to_time */
	WIDX_LINK_BLOCKS, /* struct widx_link_block for each 256 links */
	WIDX_LINK_ENDS,   /* i64: to_times, sorted */
	WIDX_TREES,       /* struct widx_tree by group, type */
	WIDX_NODES,      /* u64: byte of WIDX_SUMS where each WIDX_STEP nodes of
	                  * a tree begin, and of the end */
	WIDX_SUMS,       /* sums of the nodes: struct widx_tree */
	WIDX_SUM_CHECKS, /* u64: XXH3-64 of each WIDX_PAGE bytes of WIDX_SUMS,
	                  * which are checked when they are first read */
	WIDX_LENGTHS,    /* struct widx_length by series */
	WIDX_TOTALS,     /* the sums of weft stat: export/stat/kept.h; may be
	                  * missing */
};

struct widx_section {
	uint32_t kind, zero;
	uint64_t offset, length;
	uint64_t check; /* XXH3-64; 0 for WIDX_CHUNKS and WIDX_SUMS, which have
	                 * their own */
};

struct widx_header {
	char magic[8];
	uint32_t version, order;
	char unit[8];
	int64_t end, start_realtime, start_monotonic;
	uint64_t nrecords, nseries, nchunks, nlinks, too_deep;
	uint8_t generation[16];
	struct widx_section section[WIDX_SECTIONS];
	int64_t clock_error; /* as in struct sink_setup */
	uint8_t zero[1928];
	uint64_t check; /* XXH3-64 of the bytes before */
};

enum widx_series_flags {
	WIDX_WIDE = 1,   /* the series has an array in WIDX_EXTENT */
	WIDX_NUMBER = 2, /* values are quantities */
	WIDX_POINT = 4,  /* sums count */
	/* Flag of a chunk: times of blocks and sums have 64 bits. */
	WIDX_LONG = 8,
};
#define WIDX_EXTENTS WIDX_WIDE /* the same bit as a flag of a chunk */

struct widx_series {
	uint32_t row, type;
	uint32_t lane, flags;
	uint64_t chunk, nchunks; /* first chunk in the directory, and number of
	                          * chunks */
	uint64_t extent;         /* first extent in WIDX_EXTENT */
	uint64_t nrecords;
};

/* The intervals of a value in a series of lane 0 whose values have classes of
 * their own: their number, and the shortest and the longest one, in [0, end).
 * Only long series have these; then all their values do. */
struct widx_length {
	uint32_t series, zero;
	int64_t value;
	uint64_t count; /* not 0 */
	int64_t min, max;
};

struct widx_entry {
	int64_t t_first;
	uint64_t offset; /* byte offset in the file */
	uint64_t before; /* records of the series before this chunk */
};

struct widx_chunk {
	uint32_t check; /* low half of XXH3-64 of the rest of the chunk */
	uint32_t size;  /* bytes, including this header */
	uint32_t n;     /* records */
	uint16_t nblocks, nlocal, nseen, flags;
	uint32_t zero;
	int64_t t_first;
};

/* Extent of the records that have a value; min > max: no record has one. The
 * interval that ends where a record begins belongs to that record. */
struct widx_extent {
	int64_t min, max;
	int64_t longest; /* length of the longest interval; -1 with min > max:
	                  * unknown */
	int64_t longest_value; /* value of the longest interval; of several the
	                          first */
};

/* Totals from the first record of the series to the start of a block. */
struct widx_total {
	uint64_t low, high; /* sum of value x time, two's complement */
	int64_t time;       /* time with a value */
};

/*
 * Sums of a group's rows. The trace is divided into leaves of 1 << level units
 * of time, in which the group has a few dozen changes on average. There are as
 * many nodes as leaves. Node j, from 1, has the sums of the first j leaves if j
 * is a multiple of WIDX_TIER, else of the leaves from j less the lowest bit of
 * j up to j - 1 (as in a Fenwick tree): so the sums of any first leaves are
 * those of a few nodes, and of long columns often of one. Trees of the same
 * chunks may have the same nodes.
 *
 * Nodes of WIDX_SPAN leaves lie together: first those whose number is no
 * multiple of WIDX_TIER, then those whose number is none of its square, and so
 * on, each in the order of numbers. So the nodes of long columns are near one
 * another. A node is
 *
 *	varint    number of bytes that follow
 *	varint    changes
 *	u8, u8    first byte, and number of bytes, of a bitmap of classes
 *	bitmap    classes that have some time
 *	varint    for each of them: time, summed over the rows
 */
struct widx_tree {
	uint32_t group, type;
	uint32_t level;
	uint32_t zero;
	uint64_t node; /* first node in WIDX_NODES */
};
#define WIDX_STEP 4
#define WIDX_TIER 8
#define WIDX_SPAN 32768 /* WIDX_TIER to the power of 5 */
#define WIDX_PAGE 65536

struct widx_link {
	int64_t from_time, to_time;
	uint32_t from_row, to_row;
	int64_t kind, id, bytes;
};

struct widx_link_block {
	int64_t from_time; /* from_time of the first link */
	int64_t max_to, max_length;
};

static_assert(sizeof(struct widx_section) == 32, "section changed");
static_assert(sizeof(struct widx_header) == 4096, "header changed");
static_assert(sizeof(struct widx_series) == 48, "series changed");
static_assert(sizeof(struct widx_length) == 40, "length changed");
static_assert(sizeof(struct widx_entry) == 24, "entry changed");
static_assert(sizeof(struct widx_chunk) == 32, "chunk changed");
static_assert(sizeof(struct widx_extent) == 32, "extent changed");
static_assert(sizeof(struct widx_total) == 24, "total changed");
static_assert(sizeof(struct widx_tree) == 24, "tree changed");
static_assert(sizeof(struct widx_link) == 48, "link changed");
static_assert(sizeof(struct widx_link_block) == 24, "link block changed");

#define WIDX_ALIGN(n) (((n) + 7) & ~(uint64_t)7)

#endif
