/* SPDX-License-Identifier: MIT */
/*
 * reader.h - the state of an open index, shared by the files that read it.
 */
#ifndef WEFT_EXPORT_INDEX_READER_H
#define WEFT_EXPORT_INDEX_READER_H

#include <stdatomic.h>

#include "export/index/format.h"
#include "export/index/guard.h"
#include "export/index/query.h"

/* A section of n elements. The file may be cut or changed while it is mapped.
 */
#define READER_PART(type) \
	struct { \
		const type *at; \
		uint64_t n; \
	}

struct index {
	struct guard_map map;
	struct index_meta meta;
	const uint8_t *chunks; /* the section WIDX_CHUNKS */
	uint64_t chunks_at;    /* byte offset of the section in the file */
	uint64_t chunks_size;
	READER_PART(struct widx_series) series;
	READER_PART(struct widx_entry) directory;
	READER_PART(struct widx_extent) extents;
	READER_PART(struct widx_link) links;
	READER_PART(struct widx_link_block) link_blocks;
	READER_PART(int64_t) link_ends;
	READER_PART(struct widx_tree) trees;
	READER_PART(uint64_t) nodes;
	READER_PART(uint8_t) sums;
	READER_PART(uint8_t) totals;
	READER_PART(struct widx_length) lengths;
	READER_PART(uint64_t) sum_checks;
	uint64_t *type_at; /* index of the first series of each type; then the
	                    * number of all series */
	_Atomic uint8_t *chunk; /* by chunk of the directory: enum
	                         * reader_checked */
	_Atomic uint8_t *page;  /* by page of the sums: enum reader_checked */
	atomic_uint *touched;   /* how often reader_touch() was called */
	atomic_uint *forgotten; /* parts given back to the kernel so far */
};

enum reader_checked { READER_UNREAD, READER_GOOD, READER_BAD };

/* Notes that another part of the file is about to be read. Gives the pages of
 * the file back to the kernel when too many are mapped. */
void reader_touch(const struct index *ix);

/* Tells the kernel that bytes of the file are read next, so that it reads them
 * from the disk at once: without it, the map is read page by page. */
void reader_expect(const void *bytes, size_t n);

/* Reads the sections that about.c writes: rows, types, labels and so on.
 * Returns false with err. */
struct reader_text {
	const void *at[64]; /* copies of the sections, by enum widx_kind */
	size_t size[64];
};
bool reader_about(struct index *ix, struct arena *a,
	const struct reader_text *text, struct err *err);

/* Makes the groups of rows: see struct index_group. */
void reader_groups(struct index *ix, struct arena *a);

/*
 * Calls fn(arg) under the guard and returns its result. On failure q->state is
 * set.
 */
bool reader_query(struct index_query *q, bool (*fn)(void *arg), void *arg);

/* Marks the query as damaged at this byte and returns false. */
bool reader_damaged(struct index_query *q, const void *at);

#endif
