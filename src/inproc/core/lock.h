/* SPDX-License-Identifier: MIT */
/*
 * lock.h - a lock with two queues.
 *
 * With a lock of the C library each waiting thread has to get its turn. When
 * the process ends, a thousand threads may wait to start or end a stream: this
 * lock lets the exit pass before them; then they give up, one after the other,
 * without taking the lock. After U. Drepper, "Futexes Are Tricky".
 */
#ifndef WEFT_INPROC_CORE_LOCK_H
#define WEFT_INPROC_CORE_LOCK_H

#include <signal.h>
#include <stdbool.h>

/* Only struct proc has one: RANK_PROC (held.h). */
struct lock {
	int word; /* atomic, futex; 0: free, 1: taken, 2: taken, and a thread
	           * may wait */
};

/* Takes the lock; the caller has blocked all signals. While it waits, the
 * signal mask is *meanwhile, if that is not NULL. */
void weft_rt_lock(struct lock *l, const sigset_t *meanwhile);
void weft_rt_unlock(struct lock *l);

/* Takes the lock after all that wait in weft_rt_lock(). Returns false, without
 * the lock, if *away (atomic) became true. */
bool weft_rt_lock_unless(struct lock *l, const bool *away);

#endif
