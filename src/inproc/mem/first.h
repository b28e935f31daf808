/* SPDX-License-Identifier: MIT */
/*
 * first.h - samples of threads that live for less than a period.
 *
 * The kernel counts a ring event's period from the beginning of each thread: a
 * thread that ends before has no sample, and a program of such threads has none
 * at all. So some threads, drawn at random, get a first sample of their own, at
 * a random moment. Each of these samples stands for all such threads:
 *	thread of 0.3 periods   counts, if the moment came before the end
 *	thread of 2.3 periods   has two samples of the ring; its first one
 *	                        counts, if the moment was before 0.3
 *
 * On average a thread then has as many samples as it has periods. Timers do not
 * need this: they fire when the kernel's tick meets the thread.
 */
#ifndef WEFT_INPROC_MEM_FIRST_H
#define WEFT_INPROC_MEM_FIRST_H

#include <stdbool.h>

#include "inproc/mem/self.h"

/* Called by the new thread. Returns false if refused: the thread may have no
 * sample. */
bool first_begin(struct self *s);

/* Takes the first samples of threads that have ended. Called by the drain. */
void first_take(void);

/* Opens no more events: the program may be about to forbid the system call. */
void first_stop(void);

void first_forked(void);

#endif
