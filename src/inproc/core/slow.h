/* SPDX-License-Identifier: MIT */
/*
 * slow.h - a stack of our own for all that takes more than a little.
 *
 * An event may be the first one on a thread's stack of 16 KB, or in a handler
 * on an alternate stack of 8 KB of which the kernel's frame takes half. Making
 * a folder or a ring takes paths of 4 KB. So what is no event runs on a stack
 * of the process, with a page behind it that nobody may touch:
 *
 *	weft_rt_slow(work, &what_it_needs);
 *
 * Meanwhile all signals of the thread are blocked, since a handler would run on
 * our stack, and the thread is not cancelled. errno is kept. There are as many
 * stacks as threads that need one at a time; a fork leaves them behind.
 */
#ifndef WEFT_INPROC_CORE_SLOW_H
#define WEFT_INPROC_CORE_SLOW_H

#include <stdbool.h>

enum { SLOW_STACKS = 8 }; /* that are kept */

struct slow_stack {
	char *at;     /* of who has taken it; NULL: not made yet */
	int is_taken; /* atomic */
};

/* Where those lie that are kept, SLOW_STACKS of them: in pages that a fork
 * wipes. Before, each call has one of its own. */
void weft_rt_slow_keep(struct slow_stack *stacks);

/* Runs work(arg). Within another such call, or where no stack can be had: on
 * the stack that is there. */
void weft_rt_slow(void (*work)(void *), void *arg);

/* The calling thread has a large stack and no signals: it needs no other. */
void weft_rt_slow_is_large(void);

/* The end of the stack that the program's own code is on. */
const char *weft_rt_slow_outside(void);

#endif
