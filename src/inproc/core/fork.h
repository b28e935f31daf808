/* SPDX-License-Identifier: MIT */
/*
 * fork.h - what a child of fork keeps of its parent's recording: nothing.
 *
 * The pages of processes and threads are wiped, and those of rings are not
 * mapped in the child. But a handler that forks may have interrupted an event,
 * and the child returns into that event. So the child gets a ring without room
 * for that thread, over memory that nobody reads. _Fork() and clone() do not
 * notify the library: their child must not return from such a handler.
 */
#ifndef WEFT_INPROC_CORE_FORK_H
#define WEFT_INPROC_CORE_FORK_H

struct stream;

/* Registers the fork handlers; called when the library is loaded. */
void weft_rt_fork_load(void);

/* Called when a child begins a trace: frees locks that threads of the parent
 * held. */
void weft_rt_fork_forget(void);

#endif
