/* SPDX-License-Identifier: MIT */
/*
 * ours.h - starts a thread of a recorder in the program's process.
 *
 * The thread blocks all signals. The program's thread-local data lies on the
 * thread's stack as well, so the stack may have to be larger than the recorder
 * needs.
 */
#ifndef WEFT_INPROC_CORE_OURS_H
#define WEFT_INPROC_CORE_OURS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a thread with a stack of at least that many bytes. thread: handle for
 * joining; NULL: the thread is detached. Allocates. Returns false if no thread
 * can be started. */
bool weft_rt_ours_start(
	void *(*run)(void *), void *arg, size_t stack, pthread_t *thread);

/* Unblocks all signals and returns NULL. A thread of ours returns with this
 * when no other thread is left: the C library runs the program's exit handlers
 * in the last thread. */
void *weft_rt_ours_is_last(void);

#endif
