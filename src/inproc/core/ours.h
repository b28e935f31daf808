/* SPDX-License-Identifier: MIT */
/*
 * ours.h - a thread of a recorder, in the program's process.
 *
 * It blocks all signals. The program's thread-local data lies on its stack as
 * well, so that may have to be larger than the recorder needs.
 */
#ifndef WEFT_INPROC_CORE_OURS_H
#define WEFT_INPROC_CORE_OURS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a thread with a stack of so many bytes, or more. thread: to be joined;
 * NULL: nobody joins it. Allocates. False: there can be none. */
bool weft_rt_ours_start(
	void *(*run)(void *), void *arg, size_t stack, pthread_t *thread);

/* What the thread returns with when no other one is left: behind the last one
 * the C library does what the program asked for at its end, with signals. */
void *weft_rt_ours_is_last(void);

#endif
