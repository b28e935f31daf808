/* SPDX-License-Identifier: MIT */
/*
 * auto.h - what a first event sets up by itself: who the process is, which CPUs
 * there are, the thread's start and end.
 *
 * A thread that is bound to one CPU, and is the first that is, runs there. Any
 * other may be anywhere: it runs on the virtual CPU.
 */
#ifndef WEFT_INPROC_OVNI_AUTO_H
#define WEFT_INPROC_OVNI_AUTO_H

#include <stdbool.h>
#include <stdint.h>

struct meta;
struct proc;
struct thread;

/* In a child of fork: the threads that were put on CPUs are not here. */
void weft_rt_auto_forget(void);

/* What the metadata of a thread begins with: CPUs and rank. */
void weft_rt_auto_meta(struct meta *meta);

/* The event that starts the thread. Under the process's lock. */
void weft_rt_auto_enter(struct thread *th);

/* Writes the event that ends a thread, behind the empty ring, which is taken.
 * False: there was something in it, or it could not be written. */
bool weft_rt_auto_end(struct thread *th);

/* The program says from now on where the thread runs: an end of what we said.
 */
void weft_rt_auto_adopt(struct thread *th);

#endif
