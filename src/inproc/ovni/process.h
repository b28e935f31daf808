/* SPDX-License-Identifier: MIT */
/*
 * process.h - a process of an ovni trace begins: by calls, or by its first
 * event.
 */
#ifndef WEFT_INPROC_OVNI_PROCESS_H
#define WEFT_INPROC_OVNI_PROCESS_H

#include <stdbool.h>

/* Begins to record, says who we are, makes its folders. Under the
 * lock.
 * False: the folders can't be made; it is READY all the same, so that the
 * program goes on, and error says why. */
bool weft_rt_proc_start(int app, const char *loom, int pid);

/* Under the lock; for a first event. False: not here (a child of fork). */
bool weft_rt_proc_auto(void);

#endif
