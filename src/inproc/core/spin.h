/* SPDX-License-Identifier: MIT */
/*
 * spin.h - a lock for a few instructions.
 *
 * It needs no memory and no call into libc, so that it may be held across a
 * fork. Who waits gives its CPU away: the holder may be one that was preempted.
 * Never in a handler that may have interrupted the holder.
 */
#ifndef WEFT_INPROC_CORE_SPIN_H
#define WEFT_INPROC_CORE_SPIN_H

#include <sched.h>
#include <stdbool.h>

struct spin {
	int is_held;
};

static inline bool
spin_try(struct spin *s)
{
	return __atomic_exchange_n(&s->is_held, 1, __ATOMIC_ACQUIRE) == 0;
}

static inline void
spin_lock(struct spin *s)
{
	for (int i = 1; !spin_try(s); i++)
		if (i % 64 == 0)
			sched_yield();
}

static inline void
spin_unlock(struct spin *s)
{
	__atomic_store_n(&s->is_held, 0, __ATOMIC_RELEASE);
}

#endif
