/* SPDX-License-Identifier: MIT */
/*
 * exit.h - the end of the process.
 */
#ifndef WEFT_INPROC_CORE_EXIT_H
#define WEFT_INPROC_CORE_EXIT_H

#include <stdbool.h>

struct stream;

/* How often to look for a thread that still records; it stops at its next
 * event. */
enum { EXIT_TURNS = 100 };

/*
 * The exit ends the streams of all threads that are left. It waits for those
 * that write at that moment, or end their own: a system call or two. It holds
 * no lock meanwhile, and signals come in.
 */

/* The process is about to end: who starts records nothing, who ends leaves its
 * stream to the exit, and neither takes the lock of the process, for which the
 * exit would have to queue. */
bool weft_rt_exit_is_near(void);

/* The calling thread wanted to record when nothing is recorded any more: it
 * stands still until the exit is done, for some milliseconds at most. Threads
 * that record without a pause would leave the exit no CPU. Not under the
 * lock. */
void weft_rt_exit_let(void);

/* The calling thread begins or ends such work. */
void weft_rt_exit_work(bool begins);

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
