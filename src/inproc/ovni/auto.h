/* SPDX-License-Identifier: MIT */
/*
 * auto.h - sets up, at the first event, whatever the program did not set up
 * itself: the process, the CPUs, the thread's start and end.
 *
 * The first thread that is bound to a CPU alone is shown on that CPU. All
 * others may run anywhere and are shown on the virtual CPU.
 */
#ifndef WEFT_INPROC_OVNI_AUTO_H
#define WEFT_INPROC_OVNI_AUTO_H

#include <stdbool.h>
#include <stdint.h>

struct meta;
struct proc;
struct thread;

/* Frees all CPUs, in a child of fork: the parent's threads do not exist in the
 * child. */
void weft_rt_auto_forget(void);

/* Adds CPUs and rank to a new thread's metadata. */
void weft_rt_auto_meta(struct meta *meta);

/* Records the event that starts the thread. Call under the process's lock. */
void weft_rt_auto_enter(struct thread *th);

/* Writes the event that ends a thread, after the empty ring, unless it was put
 * into the ring; the caller has taken the ring. Returns false if the ring was
 * not empty or the write failed. */
bool weft_rt_auto_end(struct thread *th, bool is_put);

/* Records the event that ends a thread in its ring, so that the last drain
 * writes it with the rest; the caller has taken the ring, and the thread
 * records nothing more. Returns false if the ring has no room, or its events
 * may not reach the file. */
bool weft_rt_auto_put_end(struct thread *th);

/* Writes the end without ending the stream: weft_rt_drain_trim() removes it. */
bool weft_rt_auto_end_beyond(struct thread *th);

/* Ends the automatic start: from now on the program says where the thread runs.
 */
void weft_rt_auto_adopt(struct thread *th);

#endif
