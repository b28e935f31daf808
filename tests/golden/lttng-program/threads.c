/* SPDX-License-Identifier: MIT */
/* threads THREADS ROUNDS US - two tracepoints a round in each thread, so many
 * microseconds apart. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "points.h"

#define THREADS_MAX 8

static int rounds;
static useconds_t pause_us;

static void *
work(void *arg)
{
	int array[] = { 1, -2, 3 };

	for (int i = 0; i < rounds; i++) {
		lttng_ust_tracepoint(weft_test, all, i, "round", array);
		lttng_ust_tracepoint(weft_test, none);
		if (pause_us > 0)
			usleep(pause_us);
	}
	return arg;
}

int
main(int argc, char *argv[])
{
	pthread_t thread[THREADS_MAX];
	int n = argc > 3 ? atoi(argv[1]) : 0;

	if (n < 1 || n > THREADS_MAX)
		return 2;
	rounds = atoi(argv[2]);
	pause_us = (useconds_t)atoi(argv[3]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
