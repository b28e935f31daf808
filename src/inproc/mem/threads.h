/* SPDX-License-Identifier: MIT */
/*
 * threads.h - notices the beginning and end of the program's threads.
 */
#ifndef WEFT_INPROC_MEM_THREADS_H
#define WEFT_INPROC_MEM_THREADS_H

/* Call once, at the start. */
void threads_init(void);

/* Records this thread as one of the program from now on. */
void threads_begin(void);

/* Called around fork: no thread is in the list of new threads. */
void threads_hold(void);
void threads_let_go(void);

#endif
