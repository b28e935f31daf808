/* SPDX-License-Identifier: MIT */
/*
 * held.h - the order of the locks that threads wait for, and the set of locks
 * that the calling thread holds.
 *
 * A thread that holds a lock may wait only for locks behind it in the list, and
 * not for the same lock again. Builds with asserts check that at each lock; in
 * others these functions are empty. README.md says what each lock guards, and
 * which locks are only tried: these have no rank, as nobody waits for them.
 */
#ifndef WEFT_INPROC_CORE_HELD_H
#define WEFT_INPROC_CORE_HELD_H

#include <stdbool.h>

#include "inproc/core/assert.h"

enum rank {
	RANK_PROC,   /* struct proc */
	RANK_KERNEL, /* ctf/kernel.c: perf rings, their files */
	RANK_LOST,   /* core/lost.c: lost intervals of a stream */
	RANK_DRAIN,  /* mem/drain.c: tables and files of the drain */
	RANK_BIRTHS, /* mem/threads.c: free entries for new threads */
	RANK_SPARE,  /* mem/track.c: free blocks */
	RANK_NAMES,  /* mem/names.c */
	RANK_PATHS,  /* code/paths.c: new paths */
	RANK_ROOM,   /* core/pages.c: memory */
};

#ifdef WEFT_ASSERTS

extern __thread unsigned weft_rt_held; /* a bit per rank */

static inline bool
held_is(enum rank r)
{
	return (weft_rt_held >> r & 1) != 0;
}

/* Checks the order; called before the calling thread waits for the lock. */
static inline void
held_before(enum rank r)
{
	WEFT_ASSERT(locks_are_taken_in_order, weft_rt_held >> r == 0);
}

static inline void
held_take(enum rank r)
{
	weft_rt_held |= 1u << r;
}

static inline void
held_give(enum rank r)
{
	WEFT_ASSERT(lock_is_given_back_by_its_holder, held_is(r));
	weft_rt_held &= ~(1u << r);
}

#else

static inline void
held_before(enum rank r)
{
	(void)r;
}

static inline void
held_take(enum rank r)
{
	(void)r;
}

static inline void
held_give(enum rank r)
{
	(void)r;
}

#endif
#endif
