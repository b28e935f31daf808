/* SPDX-License-Identifier: MIT */
/*
 * place.h - the folders of a trace: OVNI_TRACEDIR and OVNI_TMPDIR.
 *
 * DIR/loom.LOOM/proc.PID/thread.TID. The process claims proc.PID (claim.h). The
 * folder of an earlier run is emptied of its streams first: a program in a
 * container always has the same id. One of a process that lives or may live,
 * and one of this very process before an exec, are left alone: then this one is
 * process PID + k * PLACE_IMAGE of the trace, with the least k that is free.
 */
#ifndef WEFT_INPROC_OVNI_PLACE_H
#define WEFT_INPROC_OVNI_PLACE_H

#include <stdbool.h>

/* Process ids of Linux are less. */
#define PLACE_IMAGE (1 << 22)

/* Numbers that a process may have in the trace: k is 0 to 511. */
#define PLACE_NUMBERS 512

struct proc;

/* Fills pid, folder and temp, and makes them. Says so if the folder of the pid
 * is another's. errno says why not. */
bool weft_rt_place_make(struct proc *p);

/* Moves a thread's files from the temporary folder to the trace. */
void weft_rt_place_move(int tid);

/* Removes the temporary folders that are empty. */
void weft_rt_place_clean(void);

#endif
