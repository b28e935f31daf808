/* SPDX-License-Identifier: MIT */
/*
 * spin.h - a lock for a few instructions.
 *
 * The lock needs no memory and no call into libc, so it may be held across a
 * fork. A waiting thread yields its CPU: the holder may have been preempted.
 * Never use it in a handler that may have interrupted the holder.
 */
#ifndef WEFT_INPROC_CORE_SPIN_H
#define WEFT_INPROC_CORE_SPIN_H

#include <sched.h>
#include <stdbool.h>

#include "inproc/core/held.h"

struct spin {
	int is_held; /* atomic */
};

static inline bool
spin_try(struct spin *s, enum rank rank)
{
	if (__atomic_exchange_n(&s->is_held, 1, __ATOMIC_ACQUIRE) != 0)
		return false;
	held_take(rank);
	return true;
}

static inline void
spin_lock(struct spin *s, enum rank rank)
{
	held_before(rank);
	for (int i = 1; !spin_try(s, rank); i++)
		if (i % 64 == 0)
			sched_yield();
}

static inline void
spin_unlock(struct spin *s, enum rank rank)
{
	held_give(rank);
	__atomic_store_n(&s->is_held, 0, __ATOMIC_RELEASE);
}

#endif
