/* SPDX-License-Identifier: MIT */
/*
 * futex.h - waits for a word in memory of this process to change.
 */
#ifndef WEFT_INPROC_CORE_FUTEX_H
#define WEFT_INPROC_CORE_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Waits while the word has that value, at most for `most` (NULL: no limit). May
 * return at any time. */
static inline void
futex_wait(int *word, int value, const struct timespec *most)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0);
}

/* Wakes all threads that wait. */
static inline void
futex_wake(int *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#endif
