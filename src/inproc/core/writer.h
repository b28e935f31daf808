/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the thread that drains the rings of a process.
 *
 * It blocks all signals, keeps off CPUs that traced threads are bound to, and
 * has a table of descriptors of its own, so that it finds one when the program
 * has used up all, and holds open none that the program closes. With nothing to
 * do it sleeps 10 ms at a time, and a thread whose ring is half full wakes it;
 * with something to do it looks again within a fraction of the time in which a
 * ring fills.
 */
#ifndef WEFT_INPROC_CORE_WRITER_H
#define WEFT_INPROC_CORE_WRITER_H

/* There is to be one, if there is none. To start a thread is to allocate, which
 * a handler of a signal must not do. Under the lock. */
void weft_rt_writer_want(void);

/* Starts the one that is wanted, unless the caller may be in a handler; then
 * rings are drained by their threads until somebody else comes by. Under no
 * lock. */
void weft_rt_writer_offer(void);

/* The same, of who is in no handler. Under the lock. If there can be no thread,
 * rings are drained by their threads. */
void weft_rt_writer_start(void);

/* Keeps it off the CPU of the calling thread, if that is bound to some. */
void weft_rt_writer_avoid(void);

/* Main ends, and the process goes on. Whichever thread is the last runs what
 * the program asked for at its end, with the descriptors that it has: from now
 * on the writer shares those of the program. Under no lock. */
void weft_rt_writer_stays(void);

/* Ends it and waits for that. */
void weft_rt_writer_stop(void);

#endif
