/* SPDX-License-Identifier: MIT */
/*
 * phases.c - each phase waits for one variable, and the program times it.
 *
 *	phases SECONDS    prints "NAME NS" for each phase: its true share
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
	struct node *next;
	long pad[7];
};

enum { NODES = 1 << 18, NUMBERS = 1 << 22, SIDE = 2048 };

static long numbers[NUMBERS];
static int scattered[NUMBERS];
static volatile double sink;

static long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct node *
make_list(void)
{
	struct node *list = malloc(NODES * sizeof(*list));
	unsigned at = 0;

	for (unsigned i = 0; i < NODES; i++) {
		unsigned next = (at * 2045 + 99991) % NODES;

		list[at].next = &list[next];
		at = next;
	}
	return list;
}

static __attribute__((noinline)) struct node *
chase(struct node *p, int n)
{
	while (n-- > 0)
		p = p->next;
	return p;
}

/* Walks over the rows: the position of the next element depends on the value of
 * this one. */
static __attribute__((noinline)) size_t
down(const long *m, size_t at, int n)
{
	while (n-- > 0)
		at = (at + 37 * SIDE + 9 + (size_t)m[at]) %
			((size_t)SIDE * SIDE);
	return at;
}

static __attribute__((noinline)) unsigned
jump_about(unsigned at, int n)
{
	while (n-- > 0)
		at = at * 1664525 + 1013904223 + (unsigned)scattered[at >> 10];
	return at;
}

static __attribute__((noinline)) unsigned
stride(unsigned at, int n)
{
	while (n-- > 0)
		at = (at + 4099 + (unsigned)numbers[at]) % NUMBERS;
	return at;
}

int
main(int argc, char *argv[])
{
	static const char *const name[] = { "list", "matrix", "scattered",
		"numbers" };
	double seconds = argc > 1 ? atof(argv[1]) : 2;
	/* the shares in per cent, each another one */
	static const int part[] = { 40, 30, 20, 10 };
	struct node *list = make_list();
	long *matrix = calloc((size_t)SIDE * SIDE, sizeof(*matrix));
	unsigned at = 1, seed = 1;
	size_t place = 0;

	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = scattered[i] = i & 7;
	for (int i = 0; i < SIDE * SIDE; i++)
		matrix[i] = i & 3;
	for (int phase = 0; phase < 4; phase++) {
		long begin = now();
		long until = begin + (long)(seconds * part[phase] * 1e7);

		while (now() < until)
			if (phase == 0)
				list = chase(list, 4000);
			else if (phase == 1)
				place = down(matrix, place, 4000);
			else if (phase == 2)
				seed = jump_about(seed, 4000);
			else
				at = stride(at, 4000);
		printf("%s %ld\n", name[phase], now() - begin);
	}
	sink += (double)((size_t)list + place + seed + at);
	return 0;
}
