/* SPDX-License-Identifier: MIT */
/*
 * build.h - an index that is being built: the state that feed.c, pack.c and
 * write.c share.
 *
 * Taking a record touches two cache lines: the series' struct build_hot and the
 * end of its buffer. The buffer has the bytes of the file, with two
 * differences: it has classes instead of slots, which are assigned when the
 * chunk is packed, and the first record of a block has a time, too. All other
 * work is done once per chunk.
 */
#ifndef WEFT_EXPORT_INDEX_BUILD_H
#define WEFT_EXPORT_INDEX_BUILD_H

#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/index/format.h"
#include "export/index/index.h"
#include "export/index/query.h"
#include "export/index/slab.h"
#include "export/sink.h"

#define BUILD_BUDGET \
	((size_t)128 << 20) /* bytes of all open buffers together */
#define BUILD_TREE \
	32768 /* records: a group with fewer records has no \
	       * tree */
#define BUILD_NODE \
	128 /* records: a leaf of a tree has one to two times as many on \
	     * average */
#define BUILD_RECORD 21 /* most bytes: two varints and a class */
#define BUILD_DIRECT \
	1024 /* the classes of values from 0 up to here are in an \
	      * array */

/* The fields of a series that every record touches. */
struct build_hot {
	uint8_t *at, *end; /* position in the buffer, and its end */
	uint8_t *buf;      /* owned by the slab; NULL: no buffer yet */
	int64_t t_last;    /* time of the last record */
	int64_t v_last;    /* last value written in the block */
	uint32_t type;
	uint16_t n;      /* records in the chunk */
	uint8_t size;    /* size of the buffer, for slab.h */
	uint8_t flags;   /* WIDX_NUMBER, WIDX_POINT */
	int64_t t_first; /* time of the chunk's first record */
	uint64_t unused;
};

/* The intervals of one class. */
struct build_length {
	uint64_t count;
	int64_t min, max;
};

/* Counts an interval. */
static inline void
build_add_length(struct build_length *to, int64_t length)
{
	if (to->count++ == 0 || length < to->min)
		to->min = length;
	if (length > to->max)
		to->max = length;
}

/* The other fields of a series. They are sums over all chunks before the open
 * one. */
struct build_cold {
	uint32_t row, type;
	uint32_t lane, flags;
	uint16_t nseen, seen_room;
	uint8_t *class_of; /* slot -> class */
	uint64_t *abs;  /* time of each slot up to t_last; for punctual values:
	                 * how many there are */
	int64_t t_last; /* time of the last record of the last chunk */
	int64_t v_last;
	uint8_t slot_last;
	bool lengths; /* counts lengths: build_lengths() */
	bool closed;  /* the last chunk was packed when all records had come */
	uint64_t nrecords, nchunks;
	index_uwide sum; /* sum of value x time, up to t_last */
	int64_t time;
	struct build_stack *
		stack; /* lanes, if this is lane 0 of a stack type; else NULL */
};

/* Returns the lengths by slot, which lie behind c->abs. */
static inline struct build_length *
build_lengths(const struct build_cold *c)
{
	return (struct build_length *)(c->abs + c->seen_room);
}

struct build_lane {
	int64_t value;
	uint32_t series; /* index + 1; 0: none yet */
};

/* What each lane of a row shows. */
struct build_stack {
	uint32_t depth; /* lanes from this one on show nothing */
	VEC(struct build_lane) lanes;
};

struct build_chunk {
	uint32_t series;
	uint32_t extent; /* index + 1; 0: none */
	int64_t t_first;
	uint64_t offset, before;
};

struct build_label {
	int64_t value;
	const char *text;
	enum meaning means;
};

struct build_type {
	struct type type;
	uint32_t lanes;
	uint64_t nrecords;
	uint32_t nseries;
	bool hashed; /* some values share classes */
	int nvalues;
	int64_t value[INDEX_HASHED];   /* value of each class */
	uint16_t direct[BUILD_DIRECT]; /* class + 1 */
	struct map classes;            /* value -> class + 1 */
	uint32_t *series;              /* series + 1 of each row; owned */
	size_t series_room;
	VEC(struct build_label) labels;
	struct map labelled; /* value -> index + 1 */
};

/* A growing array in memory of its own. */
#define BUILD_ARRAY(type) \
	struct { \
		type *at; \
		size_t n, room; \
	}

struct pack; /* pack.c */

struct build {
	struct sink base;
	struct arena *arena; /* borrowed */
	struct outfile file;
	int lock; /* descriptor that holds the lock of its temporary file; or
	           * -1 */
	const char *title, *identity;
	const struct sink_bytes *totals; /* borrowed; or NULL */
	char unit[8];
	int64_t start_realtime, start_monotonic;
	struct build_hot *hot; /* slab_array */
	size_t hot_room;
	struct slab slab;
	size_t budget;
	BUILD_ARRAY(struct build_cold) cold;
	BUILD_ARRAY(struct build_chunk) chunks;
	BUILD_ARRAY(struct widx_extent) extents;
	BUILD_ARRAY(struct widx_link) links;
	VEC(struct build_type *) types;
	BUILD_ARRAY(struct index_row) rows;
	VEC(struct panel) panels;
	VEC(struct sink_finding) findings;
	VEC(struct gap) gaps;
	VEC(struct link_kind) kinds;
	int64_t end;
	bool closing; /* no more records come; end is final */
	uint64_t nrecords, too_deep;
	struct pack *pack;
	/* A group gets a tree if its rows have this many records; its
	 * leaves have at least node_records on average. */
	uint64_t tree_least, node_records;
};

/* Grows a BUILD_ARRAY for one more element of size bytes. */
void build_grow(void *array, size_t size);
#define BUILD_ADD(array) \
	(((array)->n < (array)->room \
			 ? (void)0 \
			 : build_grow((array), sizeof *(array)->at)), \
		&(array)->at[(array)->n++])

/* Returns the series of a row, type and lane; makes it if it is new. */
uint32_t build_series(
	struct build *b, uint32_t row, uint32_t type, uint32_t lane);

/* Returns the class of a value; a value that is new gets the next class. */
uint8_t build_class(struct build_type *t, int64_t value);

/* Adds a record to a series. */
void build_feed(struct build *b, uint32_t series, int64_t time, int64_t value);

/* Takes a record of the sink: finds its series, and the lanes of a stack. */
void build_state(struct build *b, const struct record *r);

/* pack.c: writes the open chunk of a series and gives its buffer back. */
struct pack *build_pack_open(struct arena *a);
void build_pack(struct build *b, uint32_t series);

struct section;

/* plant.c: writes the trees of groups, read from the index at that path, which
 * is complete except for the trees. */
void build_trees(struct section *s, const char *path);

/* build.c: frees all memory that holds records. */
void build_release(struct build *b);

/* write.c: writes all sections after the chunks. */
void build_write(struct build *b);

#endif
