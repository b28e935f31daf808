/* SPDX-License-Identifier: MIT */
/*
 * walk.h - reads a series record by record, and jumps to any time or number.
 *
 * A walk is positioned after a record, and holds the time, value and slot of
 * that record; after walk_seek(x) this is the last record with time < x. Chunks
 * are not trusted: indexes are checked here, times and values are not.
 */
#ifndef WEFT_EXPORT_INDEX_WALK_H
#define WEFT_EXPORT_INDEX_WALK_H

#include "export/index/reader.h"
#include "export/varint.h"

/* The arrays of one chunk, all inside of it. */
struct view {
	struct widx_chunk head;
	const uint8_t *base, *end;
	const uint8_t *class_of, *abs, *block_t, *block_off, *local, *sum;
	const uint8_t *extent, *total;
	unsigned bits; /* of a slot: records_bits(); of numbers: 0 */
};

struct walk {
	struct index_query *q;
	struct widx_series s; /* checked copy */
	const struct index_type *type;
	struct view v;
	uint64_t chunk; /* number in the series; valid if `loaded` */
	bool loaded;
	uint32_t i; /* records of the chunk that were passed */
	const uint8_t *at;
	int64_t t, value;
	int64_t v_last; /* last value written in the block */
	uint8_t slot;
	bool any; /* t, value and slot are set */
};

/* Begins a walk; walk_seek() or walk_to() must follow before records are
 * taken. Returns false if the series does not exist or is damaged. */
bool walk_open(struct walk *w, struct index_query *q, uint32_t series);

/* Moves past all records with time < x. */
bool walk_seek(struct walk *w, int64_t x);

/* Moves past record `number` of the series, which must exist. */
bool walk_to(struct walk *w, uint64_t number);

/* Takes the next record and sets *some; clears *some at the end of the series.
 */
bool walk_next(struct walk *w, bool *some);

/* Sets the time of the next record; INT64_MAX at the end of the series. */
bool walk_peek(struct walk *w, int64_t *t);

/* Returns the number of records that were passed. */
uint64_t walk_number(const struct walk *w);

/* For callers that jump on their own: loads a chunk. */
bool walk_load(struct walk *w, uint64_t chunk);
bool walk_enter(struct walk *w, uint32_t block);
int64_t walk_block_time(const struct view *v, uint32_t block);
struct widx_entry walk_entry(const struct walk *w, uint64_t chunk);

/* Ask the processor to fetch the head of a chunk, and the block of the loaded
 * chunk that contains x. */
void walk_fetch_chunk(const struct walk *w, uint64_t chunk);
void walk_fetch_block(const struct walk *w, int64_t x);

/* Finds the last chunk with t_first < x, at or after the present one. Returns
 * false if there is none. */
bool walk_find_chunk(const struct walk *w, int64_t x, uint64_t *chunk);
uint32_t walk_find_block(const struct view *v, int64_t x);

/* Returns the class of a slot; INDEX_CLASS_NONE if the slot does not exist. */
static inline uint8_t
view_class(const struct view *v, unsigned slot)
{
	return slot < v->head.nseen ? v->class_of[slot] : INDEX_CLASS_NONE;
}

/* Returns where a record ends; `at` is behind its slot. Some slots are followed
 * by a value. */
static inline const uint8_t *
view_after(const struct view *v, uint8_t slot, const uint8_t *at)
{
	uint8_t class = view_class(v, slot);
	uint64_t folded;

	return class >= INDEX_HASHED && class < INDEX_CLASS_NONE
		? varint_get(at, &folded)
		: at;
}

/* Takes n records from the budget. Returns false if the budget is too small. */
static inline bool
walk_pay(struct index_query *q, int64_t n)
{
	q->budget -= n;
	if (__builtin_expect(q->budget < 0, 0)) {
		q->state = INDEX_BUDGET;
		return false;
	}
	return true;
}

#endif
