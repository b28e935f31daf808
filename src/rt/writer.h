/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the thread that drains the rings of a process.
 *
 * It blocks all signals, keeps off CPUs that traced threads are bound to, and
 * has a table of descriptors of its own, so that it finds one when the program
 * has used up all. With nothing to do it sleeps 10 ms at a time, and a thread
 * whose ring is half full wakes it; with something to do it looks again within
 * a fraction of the time in which a ring fills.
 */
#ifndef WEFT_RT_WRITER_H
#define WEFT_RT_WRITER_H

/* Starts it; if that fails, rings are drained by their threads. */
void weft_rt_writer_start(void);

/* Ends its long sleep. No system call if it is awake. */
void weft_rt_writer_wake(void);

/* Keeps it off the CPU of the calling thread, if that is bound to some. */
void weft_rt_writer_avoid(void);

/* Ends it and waits for that. */
void weft_rt_writer_stop(void);

#endif
