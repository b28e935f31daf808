/* SPDX-License-Identifier: MIT */
/*
 * exit.h - the end of the process.
 */
#ifndef WEFT_INPROC_CORE_EXIT_H
#define WEFT_INPROC_CORE_EXIT_H

#include <stdbool.h>

struct stream;

/*
 * The exit ends the streams of all threads that are left. It waits for threads
 * that write files or end their own stream at that moment: a system call or
 * two. It holds no lock while it waits, and signals are delivered.
 */

/* Called by a thread that wants to end its stream: takes the ring for good.
 * Returns false if the exit ends the stream. */
bool weft_rt_exit_may_end(struct stream *s);

/* Called when the thread has ended its stream: the exit leaves the stream
 * alone. */
void weft_rt_exit_has_ended(struct stream *s);

/* Ends all streams and the recording; called when the library is unloaded. */
void weft_rt_exit(void);

/* Prints once how many events were lost, if any were. */
void weft_rt_exit_say(void);

#endif
