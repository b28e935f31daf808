/* SPDX-License-Identifier: MIT */
/*
 * confined.h - threads that may make few system calls from now on (seccomp),
 * and processes that must have a single thread (unshare, capset).
 *
 * The recording of such a thread ends before: its hooks call the real functions
 * and make no system call. If the process has no other thread, or all are
 * confined, the measurement ends, and the recorder's thread with it. Threads
 * and children that a confined thread makes, and programs that it executes, are
 * not measured.
 */
#ifndef WEFT_INPROC_MEM_CONFINED_H
#define WEFT_INPROC_MEM_CONFINED_H

#include <stdbool.h>

/* Notes the process. Returns false without memory. */
bool confined_init(void);

/* Called before a system call that may confine the thread or the process: the
 * arguments are `a`. Keeps errno. */
void confined_look(long number, const unsigned long a[4]);

/* Called where a child of vfork(), which shares the memory of this thread,
 * would not come: undoes what such a child has noted. */
void confined_by_self(void);

/* Returns true in a program that was executed after weft run under a filter: it
 * may forbid the recorder's calls. */
bool confined_at_load(void);

#endif
