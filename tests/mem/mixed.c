/* SPDX-License-Identifier: MIT */
/* mixed - uses a list, a stack and static variables in turns of a few
 * milliseconds each; prints the share of CPU time that each took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 1 << 19, TURNS = 80, WORDS = 512 };

struct node {
	struct node *next;
	long pad[7];
};

static volatile char table[1 << 20];
static volatile long result;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct node *
build_list(void)
{
	struct node *list = malloc(NODES * sizeof *list);

	if (list == NULL)
		exit(1);
	for (size_t i = 0; i < NODES; i++)
		list[i].next = &list[(i * 1664525u + 1013904223u) % NODES];
	return list;
}

static struct node *__attribute__((noinline))
walk_list(struct node *n, long steps)
{
	while (steps-- > 0)
		n = n->next;
	return n;
}

/* Nearly all instructions of this loop are stores. Weft charges time at other
 * instructions to no variable, so the report would miss that time. */
static void __attribute__((noinline)) use_stack(int rounds)
{
	volatile long words[WORDS] = { 0 };

	while (rounds-- > 0)
#pragma GCC unroll 16
		for (int i = 0; i < WORDS; i++)
			words[i] = rounds;
	result += words[5];
}

static void __attribute__((noinline)) use_table(int rounds)
{
	while (rounds-- > 0)
		for (size_t i = 0; i < sizeof table; i += 64)
			table[i]++;
}

int
main(void)
{
	struct node *n = build_list();
	double spent[3] = { 0 }, t[4];

	for (int turn = 0; turn < TURNS; turn++) {
		t[0] = now();
		n = walk_list(n, 100000);
		t[1] = now();
		use_stack(10000);
		t[2] = now();
		use_table(40);
		t[3] = now();
		for (int i = 0; i < 3; i++)
			spent[i] += t[i + 1] - t[i];
	}
	result += n->pad[0];
	for (int i = 0; i < 3; i++)
		printf("%s %.2f\n",
			(const char *[]){ "block of build_list",
				"words in use_stack", "table" }[i],
			100 * spent[i] / (spent[0] + spent[1] + spent[2]));
	return 0;
}
