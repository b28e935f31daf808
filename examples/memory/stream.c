/* SPDX-License-Identifier: MIT */
/*
 * stream.c - three static arrays, a[i] = b[i] + f * c[i], and their first
 * touch.
 *
 *	weft run -e datacentric ./stream
 *
 * Static variables have names: the report needs no allocation site. Its table
 * of first touches shows which thread touched the pages first: with "init" the
 * main thread, else each thread its own part.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N = 4 << 20, THREADS = 2, ROUNDS = 60 };

static double a[N], b[N], c[N];

static __attribute__((noinline)) void
fill(int from, int to)
{
	for (int i = from; i < to; i++) {
		a[i] = 0;
		b[i] = i;
		c[i] = 1;
	}
}

static __attribute__((noinline)) void
triad(int from, int to, double f)
{
	for (int i = from; i < to; i++)
		a[i] = b[i] + f * c[i];
}

static void *
part(void *number)
{
	int from = *(int *)number * (N / THREADS), to = from + N / THREADS;

	if (b[to - 1] == 0)
		fill(from, to);
	for (int i = 0; i < ROUNDS; i++)
		triad(from, to, i);
	return NULL;
}

int
main(int argc, char *argv[])
{
	pthread_t thread[THREADS];
	int number[THREADS];

	if (argc > 1 && strcmp(argv[1], "init") == 0)
		fill(0, N);
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, part, &number[i]) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%g\n", a[N / 2]);
	return 0;
}
