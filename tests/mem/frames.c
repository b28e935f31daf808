/* SPDX-License-Identifier: MIT */
/*
 * frames SECONDS - works on local variables and prints where they lie: a line
 * "VARIABLE FUNCTION FIRST END" each. Most are larger than the caches near the
 * processor, so that their accesses take time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAY(variable) \
	printf(#variable " %s %lx %lx\n", __func__, \
		(unsigned long)(uintptr_t) & (variable), \
		(unsigned long)((uintptr_t) & (variable) + sizeof(variable)))

enum { N = 1 << 15, SMALL = 512 };

struct pair {
	long key[SMALL], value[SMALL];
};

static double limit;

static int
is_late(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9 > limit;
}

static unsigned
next(unsigned x)
{
	return x * 1664525 + 1013904223;
}

/* Touches an object of its caller. */
__attribute__((noinline)) static void
fill(long *to, unsigned seed)
{
	for (int i = 0; i < N / 8; i++) {
		seed = next(seed);
		to[seed % N] += seed;
	}
}

__attribute__((noinline)) static long
add(const struct pair *of, int round)
{
	long sum = 0;

	for (int i = 0; i < SMALL; i++)
		sum += of->key[(i * 7 + round) % SMALL] * of->value[i];
	return sum;
}

/* Takes its argument on the stack. */
__attribute__((noinline)) static long
passed(struct pair argument, int is_first)
{
	long sum = 0;

	if (is_first)
		SAY(argument);
	for (int round = 0; round < 8; round++)
		for (int i = 0; i < SMALL; i++)
			sum += argument.key[i] ^ argument.value[i];
	return sum;
}

__attribute__((noinline)) static long
deep(int level, int is_first)
{
	long nested[SMALL];
	long sum = 0;

	if (is_first && level == 3)
		SAY(nested);
	memset(nested, level, sizeof nested);
	if (level > 0)
		sum = deep(level - 1, is_first);
	for (int round = 0; round < 8; round++)
		for (int i = 0; i < SMALL; i++)
			sum += nested[(i + round) % SMALL] * level;
	return sum;
}

/* Ends the program itself: after it, what runs at exit would use the addresses
 * of its variables. */
__attribute__((noinline)) static void
work(void)
{
	long mine[N], callees[N];
	struct pair both;
	unsigned seed = 1;
	long sum = 0;

	SAY(mine);
	SAY(callees);
	SAY(both);
	memset(mine, 1, sizeof mine);
	memset(callees, 1, sizeof callees);
	memset(&both, 1, sizeof both);
	for (int round = 0; !is_late(); round++) {
		for (int i = 0; i < N / 8; i++) {
			seed = next(seed);
			sum += mine[seed % N]++;
		}
		fill(callees, seed);
		both.key[round % SMALL]++;
		sum += add(&both, round) + passed(both, round == 0) +
			deep(3, round == 0);
	}
	exit(sum + callees[seed % N] == 42);
}

int
main(int argc, char *argv[])
{
	limit = argc > 1 ? atof(argv[1]) : 1;
	work();
}
