/* SPDX-License-Identifier: MIT */
/*
 * alone.h - tells weft's own threads in a process from the program's.
 *
 * A program whose main thread calls pthread_exit() ends with its last thread. A
 * thread of weft would keep such a process alive for ever, and two threads of
 * weft would keep each other alive. So each of them checks from time to time
 * whether only weft's threads are left, and then ends. The check recognises
 * weft's threads by their names; a thread of the program counts as one of them
 * only if the program itself gives it such a name.
 */
#ifndef WEFT_PERF_ALONE_H
#define WEFT_PERF_ALONE_H

#include <stdbool.h>

#define ALONE_WRITER "weft-writer" /* the writer of src/inproc */
#define ALONE_MEM "weft-mem"       /* the writer of src/inproc/mem */

/* Returns true if the main thread has ended and all other threads are weft's.
 * Opens and reads files of /proc. */
bool weft_is_left_alone(void);

/* Returns true if all threads besides the calling one are weft's, or if there
 * are none. */
bool weft_is_only_thread(void);

#endif
