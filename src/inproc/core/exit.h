/* SPDX-License-Identifier: MIT */
/*
 * exit.h - the end of the process.
 */
#ifndef WEFT_INPROC_CORE_EXIT_H
#define WEFT_INPROC_CORE_EXIT_H

#include <stdbool.h>

struct stream;

/*
 * The exit ends the streams of all threads that are left. It waits for those
 * that write at that moment, or end their own: a system call or two. It holds
 * no lock meanwhile, and signals come in.
 */

/* The calling thread wants to end its stream: takes the ring for good. False:
 * the exit ends it. */
bool weft_rt_exit_may_end(struct stream *s);

/* It has: the exit leaves the stream alone. */
void weft_rt_exit_has_ended(struct stream *s);

/* Ends all threads and the recording; when the library is unloaded. */
void weft_rt_exit(void);

/* Says once how many events were lost, if any were. */
void weft_rt_exit_say(void);

#endif
