/* SPDX-License-Identifier: MIT */
/*
 * lookup.c - measures how many ns it takes to find the live block of a random
 * address.
 *
 *	lookup BLOCKS    prints the median of nine rounds
 *
 * The blocks have 1 KiB or more and lie where malloc() would put them; the
 * look-ups come in no particular order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "inproc/core/pages.h"
#include "inproc/mem/index.h"

enum { ROUNDS = 9, LOOKS = 1000000 };

static struct index ix;
static volatile uint64_t sink;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char *argv[])
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	uint64_t lo = 0x555500000000u, at = lo, random = 88172645463325252u;
	double ns[ROUNDS];

	for (uint64_t i = 0; i < n; i++) {
		struct block *b = room_take(sizeof(*b));

		if (b == NULL)
			return 1;
		b->lo = at + 16;
		b->size = 1024 + i % 7 * 300;
		b->born = 1;
		at += (b->size + 31) & ~(uint64_t)15;
		if (!index_add(&ix, b))
			return 1;
	}
	for (int round = 0; round < ROUNDS; round++) {
		double begin = now();

		for (int i = 0; i < LOOKS; i++) {
			random = random * 6364136223846793005u +
				1442695040888963407u;
			sink += index_at(
					&ix, lo + (random >> 20) % (at - lo), 2)
					.block != NULL;
		}
		ns[round] = (now() - begin) / LOOKS;
	}
	qsort(ns, ROUNDS, sizeof(ns[0]), compare);
	printf("%.1f\n", ns[ROUNDS / 2]);
	return 0;
}
