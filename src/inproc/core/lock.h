/* SPDX-License-Identifier: MIT */
/*
 * lock.h - a lock with two queues.
 *
 * Of the C library's lock each who waits has to get his turn. When the process
 * ends a thousand threads may wait that want to start or end: the exit comes
 * before them, and they go away without the lock, one after the other. After
 * U. Drepper, "Futexes Are Tricky".
 */
#ifndef WEFT_INPROC_CORE_LOCK_H
#define WEFT_INPROC_CORE_LOCK_H

#include <signal.h>
#include <stdbool.h>

/* That of struct proc is the only one: RANK_PROC (held.h). */
struct lock {
	int word; /* atomic, futex; 0: free, 1: taken, 2: and somebody may
	             wait */
};

/* With all signals blocked; while it waits they are as meanwhile says, if that
 * is not NULL. */
void weft_rt_lock(struct lock *l, const sigset_t *meanwhile);
void weft_rt_unlock(struct lock *l);

/* The same behind all that wait in weft_rt_lock(). False, without the lock:
 * *away (atomic) became true. */
bool weft_rt_lock_unless(struct lock *l, const bool *away);

#endif
