/* SPDX-License-Identifier: MIT */
/*
 * doze.h - what time it is, and sleeps.
 */
#ifndef WEFT_TESTS_COLLECT_DOZE_H
#define WEFT_TESTS_COLLECT_DOZE_H

#include <time.h>

enum { MS = 1000000 };

static inline long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void
doze(long ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&t, NULL);
}

#endif
