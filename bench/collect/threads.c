/* SPDX-License-Identifier: MIT */
/*
 * threads.c - prints the us that a short thread takes, by the wall clock and of
 * CPU time: N threads, of which AT_ONCE run at the same time (threads N
 * AT_ONCE). Each reads a byte from a pipe, which is recorded as a wait, and so
 * has a stream. Then the same for threads that record nothing.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1000 };

static int ends[2];

static double
us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void *
wait_once(void *none)
{
	char c = 0;

	if (write(ends[1], &c, 1) != 1 || read(ends[0], &c, 1) != 1)
		abort();
	return none;
}

static void *
do_nothing(void *none)
{
	return none;
}

static void
run(void *(*body)(void *), int n, int at_once)
{
	static pthread_t thread[MOST];
	double wall = us(CLOCK_MONOTONIC), cpu = us(CLOCK_PROCESS_CPUTIME_ID);

	for (int i = 0; i < n; i += at_once) {
		for (int k = 0; k < at_once; k++)
			if (pthread_create(&thread[k], NULL, body, NULL) != 0)
				abort();
		for (int k = 0; k < at_once; k++)
			pthread_join(thread[k], NULL);
	}
	printf("%.2f %.2f\n", (us(CLOCK_MONOTONIC) - wall) / n,
		(us(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n);
}

int
main(int argc, char *argv[])
{
	int n = argc > 1 ? atoi(argv[1]) : 600;
	int at_once = argc > 2 ? atoi(argv[2]) : 1;

	if (n < 1 || at_once < 1 || at_once > MOST || pipe(ends) != 0)
		return 3;
	run(wait_once, n, at_once);
	run(do_nothing, n, at_once);
	return 0;
}
