/* SPDX-License-Identifier: MIT */
/*
 * place.h - the folders of a trace: OVNI_TRACEDIR and OVNI_TMPDIR.
 *
 * DIR/loom.LOOM/proc.PID/thread.TID. A folder of an earlier process with our
 * id is emptied of its streams first: a program in a container always has the
 * same id. One of this very process before an exec is left alone: the program
 * that follows is process PID + PLACE_IMAGE in the trace, the next one after
 * that PID + 2 * PLACE_IMAGE.
 */
#ifndef WEFT_RT_PLACE_H
#define WEFT_RT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* Process ids of Linux are less. */
#define PLACE_IMAGE (1 << 22)

struct proc;

/* Fills pid, folder and temp, and makes them. errno says why not. */
bool weft_rt_place_make(struct proc *p);

/* Moves a thread's files from the temporary folder to the trace. */
void weft_rt_place_move(int tid);

/* Removes the temporary folders that are empty. */
void weft_rt_place_clean(void);

/* When this process started, in clock ticks since boot; 0: unknown. */
uint64_t weft_rt_place_started(void);

#endif
