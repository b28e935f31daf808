/* SPDX-License-Identifier: MIT */
#include "inproc/core/lock.h"

#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/core/held.h"

enum { FIRST = 1, BEHIND = 2 }; /* queues */

/* Wakes one waiter, of FIRST before BEHIND; that one wakes the next when it
 * unlocks. A waiter that joins FIRST between the two calls finds the lock free,
 * or held by a thread that will wake it. */
static void
wake(struct lock *l)
{
	if (syscall(SYS_futex, &l->word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL,
		    NULL, FIRST) == 0)
		syscall(SYS_futex, &l->word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL,
			NULL, BEHIND);
}

static void
wait(struct lock *l, int queue, const sigset_t *meanwhile)
{
	sigset_t all;

	pthread_sigmask(SIG_SETMASK, meanwhile, &all);
	syscall(SYS_futex, &l->word, FUTEX_WAIT_BITSET_PRIVATE, 2, NULL, NULL,
		queue);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static bool
is_free(struct lock *l)
{
	int is = 0;

	return __atomic_compare_exchange_n(
		&l->word, &is, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Other threads may wait: we cannot tell, so word becomes 2 and unlock wakes
 * one. */
static bool
is_free_at_last(struct lock *l)
{
	return __atomic_exchange_n(&l->word, 2, __ATOMIC_ACQUIRE) == 0;
}

void
weft_rt_lock(struct lock *l, const sigset_t *meanwhile)
{
	held_before(RANK_PROC);
	if (!is_free(l))
		while (!is_free_at_last(l))
			wait(l, FIRST, meanwhile);
	held_take(RANK_PROC);
}

static bool
lock_unless(struct lock *l, const bool *away)
{
	if (is_free(l))
		return true;
	for (;;) {
		if (__atomic_load_n(away, __ATOMIC_SEQ_CST)) {
			wake(l);
			return false;
		}
		if (is_free_at_last(l))
			return true;
		wait(l, BEHIND, NULL);
	}
}

bool
weft_rt_lock_unless(struct lock *l, const bool *away)
{
	held_before(RANK_PROC);
	if (!lock_unless(l, away))
		return false;
	held_take(RANK_PROC);
	return true;
}

void
weft_rt_unlock(struct lock *l)
{
	held_give(RANK_PROC);
	WEFT_ASSERT(lock_is_held_when_given_back,
		__atomic_load_n(&l->word, __ATOMIC_RELAXED) != 0);
	if (__atomic_exchange_n(&l->word, 0, __ATOMIC_RELEASE) == 2)
		wake(l);
}
