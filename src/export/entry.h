/* SPDX-License-Identifier: MIT */
/*
 * entry.h - a record or a link as order.c keeps it, in memory and in the
 * spill file: a header of 24 bytes and some words, without padding, at a
 * multiple of 8 bytes.
 *
 *	                 word[]
 *	ENTRY_STATE      value
 *	ENTRY_STACK      value, stack[0..depth-1]
 *	ENTRY_LINK       kind, id, to_time
 */
#ifndef WEFT_EXPORT_ENTRY_H
#define WEFT_EXPORT_ENTRY_H

#include <stddef.h>
#include <stdint.h>

enum entry_kind {
	ENTRY_STATE,
	ENTRY_STACK,
	ENTRY_LINK,
};

struct entry {
	int64_t time;  /* link: from_time */
	uint32_t row;  /* link: from_row */
	uint32_t type; /* link: to_row */
	uint32_t depth;
	uint32_t kind; /* enum entry_kind */
	int64_t word[];
};

#define ENTRY_MIN_BYTES (sizeof(struct entry) + sizeof(int64_t))

/* In bytes, words included. */
static inline size_t
entry_size(const struct entry *e)
{
	size_t words = e->kind == ENTRY_LINK ? 3
		: e->kind == ENTRY_STACK     ? 1 + (size_t)e->depth
					     : 1;

	return sizeof *e + words * sizeof e->word[0];
}

/*
 * < 0, 0 or > 0: the order in which sinks see them. 0 only for states of one
 * time, row and type, which go by arrival, and for links without difference.
 */
int entry_compare(const struct entry *a, const struct entry *b);

/* A place in the window; the time is copied here for speed. */
struct entry_key {
	int64_t time;
	const struct entry *entry; /* borrowed */
};

/*
 * Sorts keys that are in order of arrival; equal entries stay in that order.
 * Nearly no work where they are sorted already but for a few late ones.
 * scratch has room for n keys too.
 */
void entry_sort(struct entry_key *keys, struct entry_key *scratch, size_t n);

#endif
