/* SPDX-License-Identifier: MIT */
/*
 * process.h - begins a process of an ovni trace, by calls or by its first
 * event.
 */
#ifndef WEFT_INPROC_OVNI_PROCESS_H
#define WEFT_INPROC_OVNI_PROCESS_H

#include <stdbool.h>

/* Begins to record, sets the process's identity and creates its directories.
 * Call under the lock. Returns false if the directories cannot be created, and
 * sets error; the process is READY nevertheless, so that the program goes
 * on. */
bool weft_rt_proc_start(int app, const char *loom, int pid);

/* Does the same for a first event. Call under the lock. Returns false in a
 * child of fork, which does not record, unless it was allowed to. */
bool weft_rt_proc_auto(void);

/* Allows the calling process, if it is a child of fork, to begin at its first
 * event. Any thread or handler may call it. */
void weft_rt_proc_allow(void);

#endif
