/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the beginning and the end of each thread of the program.
 */
#ifndef WEFT_INPROC_MEM_THREADS_H
#define WEFT_INPROC_MEM_THREADS_H

/* At the start, once. */
void threads_init(void);

/* This thread is one of the program, from now on. */
void threads_begin(void);

/* Around fork: nobody is within the list of new threads. */
void threads_hold(void);
void threads_let_go(void);

#endif
