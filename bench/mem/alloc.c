/* SPDX-License-Identifier: MIT */
/*
 * alloc.c - measures how many ns a malloc() and its free() take, at a given
 * call depth.
 *
 *	alloc SIZE DEPTH PAIRS     prints the best of ten rounds
 *
 * Run it alone and under a tool, in turns: the difference is the cost of the
 * tool.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uintptr_t sink;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double
pairs(size_t size, long n)
{
	double begin = now();

	for (long i = 0; i < n; i++) {
		void *p = malloc(size);

		sink = (uintptr_t)p;
		free(p);
	}
	return (now() - begin) / (double)n;
}

/* Calls itself so that each level has a frame, as in real programs. */
static __attribute__((noinline)) double
deeper(int depth, size_t size, long n)
{
	volatile char frame[48];
	double ns;

	frame[0] = (char)depth;
	if (depth <= 0)
		ns = pairs(size, n);
	else
		ns = deeper(depth - 1, size, n);
	return ns + (frame[0] == 127);
}

int
main(int argc, char *argv[])
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 2048;
	int depth = argc > 2 ? atoi(argv[2]) : 8;
	long n = argc > 3 ? atol(argv[3]) : 200000;
	double best = 1e9;

	/* the frames of pairs(), main() and its caller count, too */
	for (int i = 0; i < 10; i++) {
		double ns = deeper(depth - 4, size, n);

		best = ns < best ? ns : best;
	}
	printf("%.1f\n", best);
	return 0;
}
