/* SPDX-License-Identifier: MIT */
/*
 * share.h - a sink that keeps the share of a timeline that one producer makes,
 * until the shares of all producers are joined (join.h).
 *
 * Rows, types, labels and the like are kept in memory. Records, links and gaps
 * are written in a compact form: in memory up to a limit, then in an unnamed
 * file. They must come in order of time, as for any other sink; the share
 * returns them in the same order:
 *
 *	struct share *s = share_open(&arena, &options);
 *	... (a producer writes into share_sink(s))
 *	share_read(s);
 *	while (share_next(s, &item))
 *		use(&item);
 *	share_fini(s);
 *
 * Sticky: after a failure of the file there is nothing more to read, and
 * share_error() has the cause.
 */
#ifndef WEFT_EXPORT_SHARE_H
#define WEFT_EXPORT_SHARE_H

#include "base/err.h"
#include "base/tempfile.h"
#include "base/vec.h"
#include "export/share_item.h"
#include "export/sink.h"

struct arena;

#define SHARE_BLOCK 65536u /* bytes of a block of records; see options */
#define SHARE_MEMORY (64u << 20)

struct share_label {
	uint32_t type;
	enum meaning means;
	int64_t value;
	const char *text;
	int64_t time; /* when it was declared, and in which stream */
	uint32_t stream;
};

/* A record, link or gap. */
struct share_item {
	enum share_kind kind;
	int64_t time;    /* in order; a link may begin earlier */
	uint32_t stream; /* where it came from, see share_options */
	union {
		struct record record;
		struct link link;
		struct gap gap;
	};
};

struct share_block {
	char *at; /* owned unless it is lent; NULL: in the file */
	int64_t file_at;
	size_t size, room; /* bytes in use, and of memory */
	int64_t first;     /* time of its first item */
	bool is_lent;
};

struct share_options {
	size_t memory;         /* bytes of records that are kept in memory */
	const char *spill_dir; /* directory of the file */
	bool takes_stacks;     /* keep the stacks of records */
	/* Where the producer is: a number for the stream, and the time. NULL:
	 * no item has a stream. */
	const uint32_t *stream;
	const int64_t *now;
	size_t block; /* bytes of a block; 0: SHARE_BLOCK */
	/* Called before an item that begins a block is written; NULL: never.
	 * It may read the share and drop blocks. */
	void (*full)(void *arg);
	void *full_arg;
};

struct share {
	struct sink base;
	struct arena *arena; /* of the struct and all that is no record */
	struct share_options options;
	VEC(struct row) rows;
	VEC(struct type) types;
	VEC(struct share_label) labels;
	VEC(struct panel) panels;
	VEC(struct link_kind) link_kinds;
	VEC(struct sink_finding) findings;
	VEC(uint32_t) renamed; /* rows, in the order of the calls */
	int64_t end;           /* the last advance; -1: none */
	uint64_t nrecords;     /* number of items */

	VEC(struct share_block) blocks;
	VEC(char *)
	spare; /* owned: blocks of the usual size, to be used again */
	struct tempfile file;
	size_t kept;  /* bytes of own blocks in memory */
	size_t bytes; /* of all blocks */
	char *buf; /* owned: the block that is written, or read from the file */
	const char *read; /* the block that is read; NULL: none is */
	size_t used, room;
	int64_t first; /* time of the first item in buf */
	int64_t time;  /* of the last item */
	int64_t last;  /* of the last item of the blocks */
	uint32_t stream;
	/* While reading. */
	int block; /* index of the next block */
	size_t at;
	int64_t *stack; /* owned */
	size_t stack_room;
	VEC(const char *) why; /* reasons of gaps */
};

struct share *share_open(struct arena *a, const struct share_options *options);

static inline struct sink *
share_sink(struct share *s)
{
	return &s->base;
}

/* Ends writing; begins to read at the first item. May be called again. */
void share_read(struct share *s);

/* While an item begins a block, or after share_read(): returns the time of the
 * item before it. All later items have this time, or a later one. */
static inline int64_t
share_last(const struct share *s)
{
	return s->last;
}

/* For shares of other processes. Copies the bytes of a block, after
 * share_read(); appends such a block, whose bytes the caller keeps as long as
 * the block is there. Blocks stand alone, and all of them in their order are
 * the share's items. The reasons of gaps are no part of the blocks: a gap of a
 * lent block has none. */
bool share_copy_block(struct share *s, int block, void *to);
void share_lend_block(
	struct share *s, const void *bytes, size_t size, int64_t first);

/* Removes the first n blocks, after share_read() and before the next item is
 * written. */
void share_drop(struct share *s, int n);

/* After share_read(): skips items before a time; some of them may still come.
 */
void share_skip(struct share *s, int64_t time);

/* Reads the next item where it is no flat state of the block that is read. */
bool share_next_other(struct share *s, struct share_item *item);

/* Reads the next item, which is valid until the next call. Returns false at the
 * end, or after a failure. */
static inline bool
share_next(struct share *s, struct share_item *item)
{
	const char *at;

	if (__builtin_expect(s->at == s->used, 0))
		return share_next_other(s, item);
	at = s->read + s->at;
	if (__builtin_expect(!share_flat_at(at), 0))
		return share_next_other(s, item);
	item->kind = SHARE_STATE;
	item->record.time = s->time;
	item->record.stack = NULL;
	share_flat_get(at, &item->record, &item->stream);
	item->time = item->record.time;
	s->time = item->time;
	s->stream = item->stream;
	s->at += SHARE_FLAT;
	return true;
}

/* Returns the first failure, or NULL. */
const struct err *share_error(const struct share *s);

/* Frees all that is not in the arena. */
void share_fini(struct share *s);

#endif
