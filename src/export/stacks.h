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

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

#define STACK_SHALLOW 8 /* entries that are compared without a branch */

/* Returns all bits if the condition holds, else none. Compilers make branches
 * of `?:`, which cost more where the condition is random. */
static inline uint64_t
stack_mask(bool condition)
{
	return -(uint64_t)condition;
}

/* Returns a for a mask of all bits, b for none. */
static inline const int64_t *
stack_choose(uint64_t mask, const int64_t *a, const int64_t *b)
{
	return (const int64_t *)(((uintptr_t)a & mask) |
		((uintptr_t)b & ~mask));
}

/*
 * Returns true if the first n <= STACK_SHALLOW entries of two stacks are equal;
 * b has at least one entry. Depths of stacks are hardly predictable, and a
 * branch on n, which memcmp() has, costs more than the comparison: this goes
 * from the last entry down to the first, which it compares again and again.
 */
static inline bool
stack_is_equal(const int64_t *a, const int64_t *b, uint32_t n)
{
	size_t any = n > 0, at = n - any;
	int64_t differs = 0;

	a = stack_choose(-(uint64_t)any, a, b);
#pragma GCC unroll 8
	for (uint32_t i = 0; i < STACK_SHALLOW; i++) {
		differs |= a[at] ^ b[at];
		at -= at > 0;
	}
	return differs == 0;
}

/* Does the same for any n. */
static inline bool
stack_is_equal_any(const int64_t *a, const int64_t *b, uint32_t n)
{
	if (__builtin_expect(n <= STACK_SHALLOW, 1))
		return stack_is_equal(a, b, n);
	/* the analyzer cannot follow stack_choose(), which returns no NULL */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	return memcmp(a, b, n * sizeof *a) == 0;
}

/* Returns the number of entries that stay. */
static inline uint32_t
stack_same(const struct stack_lane *l, const struct stack_now *now)
{
	uint32_t same = now->depth < l->depth ? now->depth : l->depth;

	if (same > 0 && !stack_is_equal_any(now->value, l->value, same))
		for (same = 0; now->value[same] == l->value[same];)
			same++;
	return same;
}

/* What one record changes at the top of a stack. */
struct stack_step {
	bool begins;   /* an entry more; else one less */
	int64_t value; /* of that entry */
};

/*
 * Finds out whether a record adds or removes one entry at the top and changes
 * nothing else, which is what most records do, and if so keeps it in the lane.
 * Which of the two it does is random, so there is no branch on it.
 */
static inline bool
stack_step(struct stack_lane *l, const struct stack_now *now,
	struct stack_step *step)
{
	uint32_t n = now->depth, change = n - l->depth + 1; /* 0 or 2 */
	uint32_t begins = change >> 1, same = n - begins;

	if ((change & ~2u) != 0 || same >= l->room ||
		!stack_is_equal_any(now->value, l->value, same))
		return false;
	step->begins = begins > 0;
	step->value = stack_choose(-(uint64_t)begins, now->value,
		l->value)[same]; /* a record without entries has no array */
	l->value[same] = step->value;
	l->depth = n;
	return true;
}

/* Keeps the entries of a record. */
void stack_set(
	struct stacks *s, struct stack_lane *l, const struct stack_now *now);

/* Does the same if the first `same` entries stay. */
static inline void
stack_set_above(struct stacks *s, struct stack_lane *l,
	const struct stack_now *now, uint32_t same)
{
	if (__builtin_expect(now->depth > l->room, 0)) {
		stack_set(s, l, now);
		return;
	}
	for (uint32_t i = same; i < now->depth; i++)
		l->value[i] = now->value[i];
	l->depth = now->depth;
}

/* Adds the lane of a row and a type. */
struct stack_lane *stacks_add(struct stacks *s, uint32_t row, uint32_t type);

/* Returns the number of the lane of a row and a type, new at the first call. */
static inline uint32_t
stacks_number(struct stacks *s, uint32_t row, uint32_t type)
{
	const struct stack_row *r;

	if (row < (uint32_t)s->rows.n) {
		r = &s->rows.at[row];
		if (type < r->n && r->lane[type] != 0)
			return r->lane[type] - 1;
	}
	return (uint32_t)(stacks_add(s, row, type) - s->lanes.at);
}

/* Does the same, and returns the lane; valid until the next call. */
static inline struct stack_lane *
stacks_lane(struct stacks *s, uint32_t row, uint32_t type)
{
	uint32_t number = stacks_number(s, row, type);

	return &s->lanes.at[number];
}

#endif
