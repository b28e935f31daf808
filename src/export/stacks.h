/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - what each row showed last of a type, for formats of intervals: a
 * record becomes ends and begins.
 *
 *	struct stack_lane *l = stacks_lane(&s, r->row, r->type);
 *	struct stack_now now = stack_now(r);
 *	uint32_t same = stack_same(l, &now);
 *	... (the entries of l above `same` end, from the top down)
 *	... (the entries of now above `same` begin, from the bottom up)
 *	stack_set(&s, l, &now);
 *
 * A record without a stack is one entry, or none for VALUE_NONE.
 */
#ifndef WEFT_EXPORT_STACKS_H
#define WEFT_EXPORT_STACKS_H

#include <stdint.h>

#include "base/vec.h"
#include "export/sink.h"

/* A type of a row. */
struct stack_lane {
	uint32_t row, type;
	uint32_t depth, room;
	int64_t *value; /* the entries, bottom first */
	int64_t since;  /* for the user of the lane: 0 at first */
	uint64_t mark;  /* the same */
};

/* The entries of a record; borrowed for the call. */
struct stack_now {
	const int64_t *value;
	uint32_t depth;
};

/* The lanes of one row, by type. */
struct stack_row {
	uint32_t *lane; /* index + 1; 0: none */
	uint32_t n;
};

struct stacks {
	struct arena *arena; /* borrowed */
	VEC(struct stack_lane) lanes;
	VEC(struct stack_row) rows;
};

static inline struct stack_now
stack_now(const struct record *r)
{
	if (r->stack != NULL)
		return (struct stack_now){ r->stack, r->depth };
	return (struct stack_now){ &r->value, r->value != VALUE_NONE };
}

/* Returns the number of entries that stay. */
static inline uint32_t
stack_same(const struct stack_lane *l, const struct stack_now *now)
{
	uint32_t same = 0;

	while (same < now->depth && same < l->depth &&
		now->value[same] == l->value[same])
		same++;
	return same;
}

/* Keeps the entries of a record. */
void stack_set(
	struct stacks *s, struct stack_lane *l, const struct stack_now *now);

/* Returns the lane of a row and a type, new at the first call; valid until the
 * next call. */
struct stack_lane *stacks_lane(struct stacks *s, uint32_t row, uint32_t type);

#endif
