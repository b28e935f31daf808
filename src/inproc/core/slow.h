/* SPDX-License-Identifier: MIT */
/*
 * slow.h - runs work that needs more than a little stack on a stack of our own.
 *
 * An event may be the first one on a thread's stack of 16 KB, or in a handler
 * on an alternate stack of 8 KB of which the kernel's frame takes half.
 * Creating a directory or a ring needs paths of 4 KB each. So all such work
 * runs on a stack of the process, with a guard page:
 *
 *	weft_rt_slow(work, &what_it_needs);
 *
 * Meanwhile all signals of the thread are blocked, since a handler would run on
 * this stack, and the thread is not cancelled. errno is kept. There are as many
 * stacks as threads that need one at the same time; a child of fork does not
 * inherit them.
 */
#ifndef WEFT_INPROC_CORE_SLOW_H
#define WEFT_INPROC_CORE_SLOW_H

#include <stdbool.h>

enum { SLOW_STACKS = 8 }; /* stacks that are kept */

struct slow_stack {
	char *at;     /* memory of the stack, for the thread that has taken it;
	               * NULL: not made yet */
	int is_taken; /* atomic */
};

/* Sets the array of the SLOW_STACKS kept stacks, in pages that a fork wipes.
 * Before this call each weft_rt_slow() maps its own stack. */
void weft_rt_slow_keep(struct slow_stack *stacks);

/* Runs work(arg). Nested calls, and calls that cannot get a stack, run on the
 * current stack. */
void weft_rt_slow(void (*work)(void *), void *arg);

/* Declares that the calling thread has a large stack and blocks signals: it
 * needs no other stack. */
void weft_rt_slow_is_large(void);

/* Returns the end of the stack that the program's own code runs on. */
const char *weft_rt_slow_outside(void);

#endif
