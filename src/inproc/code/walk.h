/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the return addresses on a stack, live or copied.
 *
 * Each frame is left by a recipe (cfi.h), kept in a table by address, so that a
 * frame costs a look-up and two loads; where there is none, by its frame
 * pointer. Every address is checked against the bounds of the stack and must
 * grow: whatever the recipes say, no byte outside is read.
 *
 *	struct stack s = { .lo = sp, .hi = hi, .bytes = (void *)sp };
 *	n = walk(&s, (struct place){ ip, sp, bp }, path, MEM_PATH_MAX, &cut);
 */
#ifndef WEFT_INPROC_CODE_WALK_H
#define WEFT_INPROC_CODE_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct stack {
	uint64_t lo, hi;   /* addresses */
	const void *bytes; /* what is at lo */
};

struct place {
	uint64_t ip, sp, bp;
};

/*
 * The recipes that a thread used last, by where on its stack the frame was.
 * Walks of one thread leave mostly the same frames, and a place on the stack is
 * known before the address that is read there: the next step need not wait.
 * Where other frames were there, by address: the table of all is too large for
 * the cache. All zeros: empty.
 */
enum { WALK_LATELY = 256, WALK_ADDRESSES = 1024 };
struct walk_lately {
	struct walk_entry {
		uint64_t key, recipe;
	} at[WALK_LATELY], of[WALK_ADDRESSES];
};

/* Return addresses of the frames around the place, innermost first; at->ip is
 * an address that was interrupted. cut: the end was not reached. In handlers,
 * too; modules on the stack must stay loaded. */
int walk(const struct stack *s, struct place at, uint64_t *to, int max,
	bool *cut);

/* The same, from a place whose ip is a return address and the first of to, on
 * the stack of this thread. */
int walk_callers(const struct stack *s, struct place at, uint64_t *to, int max,
	bool *cut, struct walk_lately *lately);

/* Modules came or went: what is known of their addresses may be wrong. */
void walk_forget(void);

#endif
