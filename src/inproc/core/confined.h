/* SPDX-License-Identifier: MIT */
/*
 * confined.h - threads that may make few system calls from now on (seccomp):
 * the kernel would kill them for any call of the recorder.
 *
 * The recording of such a thread ends before: its stream is written and
 * complete. If the process has no other thread, or all are confined, the whole
 * recording ends, and the writer thread with it. Threads and children that a
 * confined thread makes are confined as well.
 */
#ifndef WEFT_INPROC_CORE_CONFINED_H
#define WEFT_INPROC_CORE_CONFINED_H

#include <stdbool.h>

enum confined { CONFINED_NOT, CONFINED_SOON, CONFINED };

/* Sets the state of the calling thread; SOON: the metadata that is written says
 * why the recording ends. With all, that of each thread as well. */
void weft_rt_confined_set(enum confined state, bool all);

bool weft_rt_confined_soon(void);

/* Returns true if the calling thread must not make a system call for the
 * recorder. */
bool weft_rt_is_confined(void);

/* Returns true if all threads are confined. */
bool weft_rt_are_confined(void);

#endif
