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
	uint16_t n;    /* records in the chunk */
	uint8_t size;  /* size of the buffer, for slab.h */
	uint8_t flags; /* WIDX_NUMBER, WIDX_POINT, and those below */
	union {
		int64_t t_first; /* time of the chunk's first record */
		uint32_t leader; /* with BUILD_FOLLOWS: index of a series */
	};
	union {
		int64_t top;               /* value of the last record */
		struct build_stack *stack; /* with BUILD_APART: lanes */
	};
};

/*
 * Flags of lane 0 of a stack type. While no stack is deeper than one value, all
 * its records are those of lane 1, too. So lane 1 is not made until a deeper
 * stack comes, and then shares the chunks written so far.
 */
enum {
	BUILD_STACK = 1 << 4, /* the type has stacks */
	BUILD_SHOWN = 1 << 5, /* a record had a value */
	BUILD_APART = 1 << 6, /* lane 1 has records of its own */
};

/* Flags of series that have the same records (follow.c). */
enum {
	BUILD_FOLLOWED = 1 << 0, /* another series follows */
	BUILD_AHEAD = 1 << 3,    /* the follower lacks the last record */
	BUILD_FOLLOWS = 1 << 7,  /* the series has no records of its own */
};

#define BUILD_BEGIN \
	16 /* records: a series begins to follow before it has \
	    * more */

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
	union {
		/* Index + 1 of the series whose first chunks it shares; 0:
		 * none. */
		uint32_t like;
		uint32_t follower; /* with BUILD_FOLLOWED: index + 1 */
	};
	uint8_t *class_of; /* slot -> class */
	uint64_t *abs;  /* time of each slot up to t_last; for punctual values:
	                 * how many there are */
	int64_t t_last; /* time of the last record of the last chunk */
	int64_t v_last;
	uint8_t slot_last;
	bool lengths; /* counts lengths: build_lengths() */
	bool closed;  /* the last chunk was packed when all records had come */
	uint32_t nlike; /* number of shared chunks */
	uint64_t nrecords, nchunks;
	index_uwide sum; /* sum of value x time, up to t_last */
	int64_t time;
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
	int64_t top;    /* value of the last record of lane 0 */
	uint64_t fed;   /* lanes, less 1, that have the last record, too */
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
	int64_t start_realtime, start_monotonic, clock_error;
	const struct sink_clock *clocks; /* borrowed */
	int nclocks;
	struct build_hot *hot; /* slab_array */
	size_t hot_room;
	uint32_t last; /* index + 1 of the series of the last record, unless it
	                * follows another */
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

/* Takes a record of the sink: finds its series, and the lanes of a stack. */
void build_state(struct sink *s, const struct record *r);

/* feed.c: makes a series, and returns its index. */
uint32_t build_series(
	struct build *b, uint32_t row, uint32_t type, uint32_t lane);

/* feed.c: returns the class of a value; a value that is new gets the next
 * class. */
uint8_t build_class(struct build_type *t, int64_t value);

/* Returns the number of entries of the stack. A hidden stack has none; a lost
 * one has one entry. */
static inline uint32_t
build_depth(const struct record *r)
{
	if (r->stack != NULL)
		return r->depth;
	return r->value == VALUE_LOST;
}

static inline const int64_t *
build_entries(const struct record *r)
{
	return r->stack != NULL ? r->stack : &r->value;
}

/* Returns true if lane 1 holds the value of the record, and no lane is
 * deeper. */
static inline bool
build_is_flat(const struct record *r)
{
	uint32_t depth = build_depth(r);

	return depth <= 1 &&
		r->value == (depth == 0 ? VALUE_NONE : *build_entries(r));
}

/* follow.c: takes a record of a follower. Returns false if it differs from the
 * leader's: then the series follows no more, and the record is not taken. */
bool build_follow(struct build *b, uint32_t series, struct build_type *t,
	const struct record *r);

/* Takes a record and follows the series of the last record from now on, if both
 * had the same records so far. */
bool build_begin_following(struct build *b, uint32_t series,
	struct build_type *t, const struct record *r);

/* Gives a follower records of its own. May move b->hot and b->cold.at. */
void build_part(struct build *b, uint32_t series);

/* Does so for the followers whose leaders have one of the flags. */
void build_part_all(struct build *b, unsigned flags);

/* Gives a series without records the records of another one, and lets them
 * share the chunks so far. */
void build_copy(struct build *b, uint32_t series, uint32_t from);

/* Makes the lanes that have all records of lane 0. Call it when all chunks are
 * written. */
void build_last_lanes(struct build *b);

/* pack.c: writes the open chunk of a series and gives its buffer back. */
struct pack *build_pack_open(struct arena *a);
void build_pack_close(struct pack *p);
void build_pack(struct build *b, uint32_t series);

struct section;

/* plant.c: writes the trees of groups, read from the index at that path, which
 * is complete except for the trees. */
void build_trees(struct section *s, const char *path);

/* build.c: frees all memory that holds records. */
void build_release(struct build *b);

/* clocks.c: adds the rows of the clocks; no more records may follow. */
void build_clocks(struct build *b);

/* write.c: writes all sections after the chunks. */
void build_write(struct build *b);

#endif
