/* SPDX-License-Identifier: MIT */
/*
 * directory.h - the directories of a trace: OVNI_TRACEDIR and OVNI_TMPDIR.
 *
 * The directories are DIR/loom.LOOM/proc.PID/thread.TID. The process claims
 * proc.PID (claim.h). If an earlier run left that directory, its streams are
 * removed first: in a container a program always has the same id. If the
 * directory belongs to a process that lives or may live, or to this process
 * before an exec, it is left alone: then this process has the number PID + k *
 * PLACE_IMAGE in the trace, with the least k that is free.
 */
#ifndef WEFT_INPROC_OVNI_DIRECTORY_H
#define WEFT_INPROC_OVNI_DIRECTORY_H

#include <stdbool.h>

/* A number that is larger than all process ids of Linux. */
#define PLACE_IMAGE (1 << 22)

/* The number of values of k: 0 to 511. */
#define PLACE_NUMBERS 512

struct proc;

/* Sets pid, folder and temp, and creates the directories. Warns if the
 * directory of the pid belongs to another process. Returns false with errno. */
bool weft_rt_directory_make(struct proc *p);

/* Moves a thread's files from the temporary directory to the trace, or back. */
void weft_rt_directory_move(int tid);
void weft_rt_directory_move_back(int tid);

/* Removes empty temporary directories. */
void weft_rt_directory_clean(void);

#endif
