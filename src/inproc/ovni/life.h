/* SPDX-License-Identifier: MIT */
/*
 * life.h - starts a traced thread, changes its metadata, ends it.
 */
#ifndef WEFT_INPROC_OVNI_LIFE_H
#define WEFT_INPROC_OVNI_LIFE_H

#include <stdbool.h>

#include "inproc/core/part.h"

struct thread;

extern const struct part weft_rt_life_part;

/* Starts the calling thread. Call without the lock. */
struct thread *weft_rt_life_start(int tid);

/* Starts the thread, and the process, because of a first event; NULL: not in
 * this process. */
struct thread *weft_rt_life_auto(void);

/* Ends the calling thread. is_whole: it ended regularly, and its metadata says
 * so. */
void weft_rt_life_end(bool is_whole);

/* Calls change(arg), which adds to the metadata of the calling thread, and
 * saves the metadata; no handler does the same meanwhile. Returns false if the
 * process ends: the exit saves the metadata, and events that need the change
 * are not recorded. */
bool weft_rt_life_change(struct thread *th, void (*change)(void *), void *arg);

/* Adds the model to the thread's required models. */
void weft_rt_life_require(
	struct thread *th, const char *model, const char *version);

/* Writes the metadata, through a temporary name. */
bool weft_rt_life_save(struct thread *th, bool is_finished);

#endif
