/* SPDX-License-Identifier: MIT */
/*
 * fork.h - what a child of fork finds of its parent's recording.
 *
 * Nothing: the pages of processes and threads are wiped, those of rings are not
 * there. But a handler that forks may have interrupted an event, and the child
 * returns into it. So that thread's ring is set up again for it, over memory
 * that nobody reads, and has no room. _Fork() and clone() do not tell us: their
 * child must not return from such a handler.
 */
#ifndef WEFT_INPROC_CORE_FORK_H
#define WEFT_INPROC_CORE_FORK_H

struct stream;

/* Asks to be told of forks. At load. */
void weft_rt_fork_load(void);

/* A child begins a trace: locks that others held are free. */
void weft_rt_fork_forget(void);

#endif
