/* SPDX-License-Identifier: MIT */
/*
 * life.h - a traced thread starts, says more in its metadata, ends.
 */
#ifndef WEFT_INPROC_OVNI_LIFE_H
#define WEFT_INPROC_OVNI_LIFE_H

#include <stdbool.h>

#include "inproc/core/part.h"

struct thread;

extern const struct part weft_rt_life_part;

/* Starts the calling thread. Under no lock. */
struct thread *weft_rt_life_start(int tid);

/* Starts it because of its first event, the process too; NULL: not here. */
struct thread *weft_rt_life_auto(void);

/* Ends the calling thread. is_whole: it ended as it should, and says so. */
void weft_rt_life_end(bool is_whole);

/* Runs change(arg), which adds to the metadata of the calling thread, and saves
 * them: not while a handler does the same. False: the process ends, which saves
 * them itself, and no event is recorded that would need the change. */
bool weft_rt_life_change(struct thread *th, void (*change)(void *), void *arg);

/* The thread's events belong to that model. */
void weft_rt_life_require(
	struct thread *th, const char *model, const char *version);

/* Writes the metadata, through a temporary name. */
bool weft_rt_life_save(struct thread *th, bool is_finished);

#endif
