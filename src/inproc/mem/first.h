/* SPDX-License-Identifier: MIT */
/*
 * first.h - samples of threads that live for less than a period.
 *
 * The kernel counts the ring's period from the beginning of each thread: one
 * that ends before has no sample, and a program of such threads has none at
 * all. So some threads, drawn at random, have a first sample of their own, at a
 * moment that is drawn, too. It stands for all of them:
 *
 *	thread of 0.3 periods   counts, if the moment came before the end
 *	thread of 2.3 periods   has two samples of the ring; its first one
 *	                        counts, if the moment was before 0.3
 *
 * so that a thread has as many samples as it has periods, on average. Timers
 * need none of this: they fire when the kernel's tick meets the thread.
 */
#ifndef WEFT_INPROC_MEM_FIRST_H
#define WEFT_INPROC_MEM_FIRST_H

#include <stdbool.h>

#include "inproc/mem/self.h"

/* By the new thread. False: refused, it may have no sample. */
bool first_begin(struct self *s);

/* Takes those of threads that have ended. The drain. */
void first_take(void);

/* From now on none is opened: the program may be about to forbid that. */
void first_stop(void);

void first_forked(void);

#endif
