/* SPDX-License-Identifier: MIT */
/*
 * work.c - a fixed amount of work: a list that does not fit the cache, and
 * sums.
 *
 *	work ROUNDS    prints ns of CPU time and of the clock
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
	struct node *next;
	long value[7];
};

enum { NODES = 1 << 15, STEPS = 400000 };

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct node *volatile list; /* so that no round is left out */

static __attribute__((noinline)) long
round_of(int depth)
{
	const struct node *p = list;
	long sum = 0;

	if (depth > 0) /* as deep as programs are */
		return round_of(depth - 1) + depth;
	for (int i = 0; i < STEPS; i++) {
		sum += p->value[i & 3] * 3;
		p = p->next;
	}
	return sum;
}

int
main(int argc, char *argv[])
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	double cpu, wall;
	long sum = 0;

	list = calloc(NODES, sizeof(*list));
	if (list == NULL)
		return 1;
	for (unsigned i = 0, at = 0; i < NODES; i++) {
		unsigned next = (at * 2045 + 99991) % NODES;

		list[at].next = &list[next];
		at = next;
	}
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	wall = now(CLOCK_MONOTONIC);
	for (int i = 0; i < rounds; i++)
		sum += round_of(8);
	printf("%.0f %.0f\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu,
		now(CLOCK_MONOTONIC) - wall);
	return sum == 1;
}
