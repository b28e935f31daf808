/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the thread that drains the rings of a process.
 *
 * The thread blocks all signals, keeps off CPUs that traced threads are bound
 * to, and has its own table of descriptors, so that it finds a free descriptor
 * when the program has used up all, and keeps no file open that the program has
 * closed. Without work it sleeps 10 ms at a time, and a thread whose ring is
 * half full wakes it; with work it looks again within a fraction of the time in
 * which a ring fills.
 */
#ifndef WEFT_INPROC_CORE_WRITER_H
#define WEFT_INPROC_CORE_WRITER_H

#include <stdbool.h>

/* Requests a writer, if there is none. Starting a thread allocates, which
 * signal handlers must not do. Call under the lock. */
void weft_rt_writer_want(void);

/* Starts the requested writer, unless the caller may be in a handler; until a
 * later call starts it, threads drain their own rings. Call without the
 * lock. */
void weft_rt_writer_offer(void);

/* Starts the requested writer; the caller is in no handler. Call without the
 * lock. If no thread can be started, threads drain their own rings. */
void weft_rt_writer_start(void);

/* Keeps the writer off the CPUs of the calling thread, if the thread is bound
 * to some. */
void weft_rt_writer_avoid(void);

/* Called when main ends and the process goes on. The last thread of the process
 * runs the program's exit handlers with its own descriptors: from now on the
 * writer shares the program's table. Call without the lock. */
void weft_rt_writer_stays(void);

/* Ends the writer until weft_rt_writer_resume(): threads drain their own rings.
 * Returns false if there is no writer. Call both without the lock. */
bool weft_rt_writer_pause(void);
void weft_rt_writer_resume(void);

/* Ends the writer and waits for it. */
void weft_rt_writer_stop(void);

#endif
