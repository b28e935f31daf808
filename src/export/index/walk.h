/* SPDX-License-Identifier: MIT */
/*
 * walk.h - from one record of a series to the next, and far jumps.
 *
 * A walk stands behind a record: t, value, slot are those of the last one with
 * time < what was sought. Nothing in a chunk is trusted: indexes are bounded
 * here, times and values are as the bytes say.
 */
#ifndef WEFT_EXPORT_INDEX_WALK_H
#define WEFT_EXPORT_INDEX_WALK_H

#include "export/index/reader.h"

/* The arrays of one chunk, all inside of it. */
struct view {
	struct widx_chunk head;
	const uint8_t *base, *end;
	const uint8_t *class_of, *abs, *block_t, *block_off, *local, *sum;
	const uint8_t *extent, *total;
};

struct walk {
	struct index_query *q;
	struct widx_series s; /* a copy that was checked */
	const struct index_type *type;
	struct view v;
	uint64_t chunk; /* of the series; valid if `loaded` */
	bool loaded;
	uint32_t i; /* records of the chunk that lie behind */
	const uint8_t *at;
	int64_t t, value;
	int64_t v_last; /* written in the block */
	uint8_t slot;
	bool any; /* t, value and slot are set */
};

/* False: no such series, or it is damaged. */
bool walk_open(struct walk *w, struct index_query *q, uint32_t series);

/* Behind all records with time < x. */
bool walk_seek(struct walk *w, int64_t x);

/* Behind record `number` of the series, which exists. */
bool walk_to(struct walk *w, uint64_t number);

/* Takes the next record, and sets *some; none is left: not. */
bool walk_next(struct walk *w, bool *some);

/* Time of the next record; INT64_MAX: there is none. */
bool walk_peek(struct walk *w, int64_t *t);

/* How many records of the series lie behind. */
uint64_t walk_number(const struct walk *w);

/* For those who jump themselves. */
bool walk_load(struct walk *w, uint64_t chunk);
bool walk_enter(struct walk *w, uint32_t block);
int64_t walk_block_time(const struct view *v, uint32_t block);
struct widx_entry walk_entry(const struct walk *w, uint64_t chunk);

/* The last chunk with t_first < x, at or behind the present one if that is;
 * false: there is none. */
bool walk_find_chunk(const struct walk *w, int64_t x, uint64_t *chunk);
uint32_t walk_find_block(const struct view *v, int64_t x);

/* The class of a slot; INDEX_CLASS_NONE if there is no such slot. */
static inline uint8_t
view_class(const struct view *v, unsigned slot)
{
	return slot < v->head.nseen ? v->class_of[slot] : INDEX_CLASS_NONE;
}

/* Takes so many records from the budget. */
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
