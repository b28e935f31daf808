/* SPDX-License-Identifier: MIT */
/*
 * known.h - what programs need whose reason to wait is known: threads that
 * sleep for a known time and measure how long they wait.
 */
#ifndef WEFT_TESTS_COLLECT_KNOWN_H
#define WEFT_TESTS_COLLECT_KNOWN_H

#include <pthread.h>
#include <stdlib.h>

#include "doze.h"

enum { THREADS = 4 };

static long total; /* atomic: what all threads measured, ns */

static void
add_since(long since)
{
	__atomic_add_fetch(&total, now() - since, __ATOMIC_RELAXED);
}

static void
run_all(void *(*run)(void *), int n)
{
	pthread_t thread[THREADS];

	for (long i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)i) != 0)
			abort();
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

#endif
