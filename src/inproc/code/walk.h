/* SPDX-License-Identifier: MIT */
/*
 * walk.h - collects the return addresses on a stack, live or copied.
 *
 * To go from a frame to its caller, walk() uses the recipe (cfi.h) of the
 * address, which is cached: a frame costs a look-up and two loads. Without a
 * recipe, walk() uses the frame pointer. Every stack address must lie in the
 * bounds of the stack, above the previous one: whatever the recipes say, no
 * byte outside is read.
 *
 *	struct stack s = { .lo = sp, .hi = hi, .bytes = (void *)sp };
 *	n = walk(&s, (struct frame){ ip, sp, bp }, path, MEM_PATH_MAX, &cut);
 */
#ifndef WEFT_INPROC_CODE_WALK_H
#define WEFT_INPROC_CODE_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct stack {
	uint64_t lo, hi;   /* bounds of the stack */
	const void *bytes; /* the bytes from lo on */
};

struct frame {
	uint64_t ip, sp, bp;
};

/*
 * The recipes that a thread used last, by the frame's position on its stack.
 * Successive walks of a thread mostly leave the same frames, and the position
 * is known before the return address is loaded there: so the next step need not
 * wait. For other frames there is a cache by address, because the common table
 * does not fit the processor's cache. All zeros: empty.
 */
enum { WALK_LATELY = 256, WALK_ADDRESSES = 1024 };
struct walk_lately {
	struct walk_entry {
		uint64_t key, recipe;
	} at[WALK_LATELY], of[WALK_ADDRESSES];
};

/* Collects the return addresses of the frames around `at`, innermost first;
 * at.ip is an interrupted address. cut: the outermost frame was not reached.
 * May be called in handlers; modules on the stack must stay loaded. */
int walk(const struct stack *s, struct frame at, uint64_t *to, int max,
	bool *cut);

/* The frame that an address on a stack lies in. */
struct walk_owner {
	uint64_t ip;    /* of the frame: interrupted, or a return address - 1 */
	uint64_t cfa;   /* the end of the frame: its canonical frame address */
	uint64_t inner; /* ip and CFA of the frame that it called; 0: none */
	uint64_t inner_cfa;
	uint32_t depth; /* frames between `at` and this one */
};

/* Finds the frame of an address, which may lie above the copied part of the
 * stack. Returns false if the walk ends before. May be called in handlers. */
bool walk_owner(const struct stack *s, struct frame at, uint64_t address,
	struct walk_owner *to);

/* Does the same on this thread's stack; at.ip is a return address and becomes
 * the first of `to`. */
int walk_callers(const struct stack *s, struct frame at, uint64_t *to, int max,
	bool *cut, struct walk_lately *lately);

/* Forgets all recipes: modules were loaded or unloaded. */
void walk_forget(void);

#endif
