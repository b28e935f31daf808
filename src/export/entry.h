/* SPDX-License-Identifier: MIT */
/*
 * entry.h - a record or link as order.c and queue.c keep it, in memory and in
 * the spill file: a header of 24 bytes and some words, without padding, at a
 * multiple of 8 bytes.
 *
 *	               word[]
 *	ENTRY_STATE    value
 *	ENTRY_STACK    value, stack[0..depth-1]
 *	ENTRY_LINK     kind, id, to_time, bytes
 *	ENTRY_GAP      to, events, why
 *	ENTRY_ADVANCE  none; only the time is set
 */
#ifndef WEFT_EXPORT_ENTRY_H
#define WEFT_EXPORT_ENTRY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "export/sink.h"

enum entry_kind {
	ENTRY_STATE,
	ENTRY_STACK,
	ENTRY_GAP,
	ENTRY_LINK,
	ENTRY_ADVANCE,
};

struct entry {
	int64_t time; /* link: from_time; gap: from */
	uint64_t ids; /* row (upper half) and type (lower half); link:
	               * from_row and to_row; gap: row */
	uint32_t depth;
	uint32_t kind; /* enum entry_kind */
	int64_t word[];
};

#define ENTRY_MIN_BYTES (sizeof(struct entry) + sizeof(int64_t))

#define ENTRY_LINK_BYTES (sizeof(struct entry) + 4 * sizeof(int64_t))
#define ENTRY_GAP_BYTES (sizeof(struct entry) + 3 * sizeof(int64_t))

static inline uint64_t
entry_ids(uint32_t row, uint32_t type)
{
	return (uint64_t)row << 32 | type;
}

static inline uint32_t
entry_row(const struct entry *e)
{
	return (uint32_t)(e->ids >> 32);
}

static inline uint32_t
entry_type(const struct entry *e)
{
	return (uint32_t)e->ids;
}

/* Returns the size in bytes, words included. */
static inline size_t
entry_size(const struct entry *e)
{
	static const uint8_t words[] = { [ENTRY_STATE] = 1,
		[ENTRY_STACK] = 1,
		[ENTRY_GAP] = 3,
		[ENTRY_LINK] = 4,
		[ENTRY_ADVANCE] = 0 };
	size_t stack = e->kind == ENTRY_STACK ? e->depth : 0;

	return sizeof *e + (words[e->kind] + stack) * sizeof e->word[0];
}

/* Returns the size in bytes of a record's entry. */
static inline size_t
entry_state_size(const struct record *r)
{
	size_t stack = r->stack != NULL ? r->depth : 0;

	return ENTRY_MIN_BYTES + stack * sizeof(int64_t);
}

/* Fills an entry of ENTRY_MIN_BYTES, without the stack. */
static inline void
entry_set_flat(struct entry *e, const struct record *r)
{
	e->time = r->time;
	e->ids = entry_ids(r->row, r->type);
	e->depth = r->depth;
	e->kind = ENTRY_STATE;
	e->word[0] = r->value;
}

/* Fills an entry of entry_state_size() bytes, including a copy of the stack. */
static inline void
entry_set_state(struct entry *e, const struct record *r)
{
	entry_set_flat(e, r);
	if (r->stack == NULL)
		return;
	e->kind = ENTRY_STACK;
	if (r->depth > 0)
		memcpy(e->word + 1, r->stack, r->depth * sizeof *r->stack);
}

/* Fills an entry of ENTRY_LINK_BYTES. */
void entry_set_link(struct entry *e, const struct link *l);

/* Fills an entry of ENTRY_GAP_BYTES. `why` must live as long as the entry. */
void entry_set_gap(struct entry *e, const struct gap *g);

/* Does the same as entry_pass(), for all kinds but states. */
void entry_pass_other(const struct entry *e, struct sink *to);

/* Calls the sink with the contents of the entry. */
static inline void
entry_pass(const struct entry *e, struct sink *to)
{
	if (__builtin_expect(e->kind > ENTRY_STACK, 0)) {
		entry_pass_other(e, to);
		return;
	}
	sink_state(to,
		&(struct record){
			.time = e->time,
			.row = entry_row(e),
			.type = entry_type(e),
			.depth = e->depth,
			.value = e->word[0],
			.stack = e->kind == ENTRY_STACK ? e->word + 1 : NULL,
		});
}

/*
 * Returns < 0, 0 or > 0 for the order in which sinks receive entries. Returns 0
 * only for states of the same time, row and type, which stay in order of
 * arrival, and for equal links or gaps.
 */
int entry_compare(const struct entry *a, const struct entry *b);

/* Points at an entry in memory; the time is copied here for speed. */
struct entry_key {
	int64_t time;
	const struct entry *entry; /* borrowed */
};

/* Sorts n keys by a stable merge sort; scratch has room for n keys, too. */
void entry_sort(struct entry_key *keys, struct entry_key *scratch, size_t n);

#endif
