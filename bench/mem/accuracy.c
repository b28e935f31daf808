/* SPDX-License-Identifier: MIT */
/*
 * accuracy.c NAME - a program that knows which of its variables the time goes
 * to.
 *
 * Each program has a phase for each variable, or a loop over several similar
 * variables, which must get equal shares. The cost of a variable is the time of
 * its phase, minus the time of the same loop over a page that stays in the
 * cache: the arithmetic of the loop belongs to no variable. Prints lines
 * "variable seconds"; two variables that share a line are joined by "+".
 * Without NAME: prints the names of all programs.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "weft/mem.h"

enum { LONGS = 1 << 22, PAGE = 512 /* longs */, STEPS = 12000000 };

#define ALONE __attribute__((noipa))

static long fixed[LONGS], page[PAGE];
static volatile long sink;

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t
next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	return *x ^= *x << 17;
}

static void
fill(long *p, long longs)
{
	for (long i = 0; p != NULL && i < longs; i++)
		p[i] = i * 7919;
}

static long *
make(const char *name)
{
	long *p = malloc(LONGS * sizeof(*p));

	fill(p, LONGS);
	weft_mem_name(p, name);
	return p;
}

/* Loads at random addresses, each depending on the one before. */
static ALONE void
walk(long *p, long longs, long n)
{
	uint64_t x = 88172645463325252;
	long s = 0;

	for (long i = 0; i < n; i++)
		s = p[(next(&x) + (uint64_t)s) & (uint64_t)(longs - 1)];
	sink += s;
}

static ALONE void
stream(long *p, long longs, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++)
		s += p[i & (longs - 1)] ^ i;
	sink += s;
}

static ALONE void
stride(long *p, long longs, long n)
{
	long s = 0;

	for (long i = 0; i < n; i++)
		s += p[(i * 1024 + (i >> 12) * 8) & (longs - 1)];
	sink += s;
}

static ALONE void
store(long *p, long longs, long n)
{
	uint64_t x = 5;

	for (long i = 0; i < n; i++)
		p[next(&x) & (uint64_t)(longs - 1)] = i;
}

static ALONE void
modify(long *p, long longs, long n)
{
	uint64_t x = 7;

	for (long i = 0; i < n; i++)
		p[next(&x) & (uint64_t)(longs - 1)]++;
}

static ALONE void
clear(long *p, long longs, long n)
{
	for (long i = 0; i < n / longs + 1; i++)
		memset(p, (int)i, (size_t)longs * sizeof(*p));
}

/* Walks a list through all lines, in an order that no prefetcher guesses. */
static ALONE void
link_all(long *p, long longs)
{
	long at = 0;

	for (long i = 0; i < longs / 8; i++) {
		long to = (at * 4 * 40503 + at + 8191) & (longs / 8 - 1);

		p[at * 8] = to;
		at = to;
	}
}

static ALONE void
chase(long *p, long longs, long n)
{
	long at = 0;

	(void)longs; /* unused: the list itself ends the walk */

	for (long i = 0; i < n; i++)
		at = p[at * 8];
	sink += at;
}

/* Looks up keys in a hash table; every second key is there. */
static ALONE void
probe(long *p, long longs, long n)
{
	uint64_t x = 11;
	long s = 0;

	for (long i = 0; i < n; i++) {
		uint64_t h = next(&x) & (uint64_t)(longs - 8);

		for (int t = 0; t < 3 && p[h] % 2 != 0; t++)
			h += 2;
		s += p[h + 1];
	}
	sink += s;
}

static ALONE void
search(long *p, long longs, long n)
{
	uint64_t x = 13;
	long s = 0;

	for (long i = 0; i < n / 8; i++) {
		long want = (long)(next(&x) & (uint64_t)(longs - 1)) * 7919,
		     lo = 0;

		for (long step = LONGS / 2; step > 0; step /= 2)
			lo += p[(lo + step) & (longs - 1)] <= want ? step : 0;
		s += lo;
	}
	sink += s;
}

static ALONE void
two_at_once(long *a, long *b, long n)
{
	uint64_t x = 9;
	long s = 0;

	for (long i = 0; i < n; i++) {
		long k = (long)(next(&x) & (LONGS - 1));

		s += a[k] + b[k];
	}
	sink += s;
}

static ALONE void
three_at_once(long *a, long *b, long *c, long n)
{
	uint64_t x = 9;
	long s = 0;

	for (long i = 0; i < n; i++) {
		long k = (long)(next(&x) & (LONGS - 1));

		s += a[k] + b[k] + c[k];
	}
	sink += s;
}

typedef void phase(long *p, long longs, long n);

static double
time_of(phase *call, long *p, long longs, long n)
{
	double begin = cpu();

	call(p, longs, n);
	return cpu() - begin;
}

static void
timed(const char *name, phase *call, long *p, long n)
{
	fill(page, PAGE);
	if (call == chase)
		link_all(page, PAGE);
	printf("%s %.4f\n", name,
		time_of(call, p, LONGS, n) - time_of(call, page, PAGE, n));
}

static void
copy_all(long *from, long longs, long n)
{
	static long *to;

	if (to == NULL)
		to = make("b");
	for (long i = 0; i < n; i += longs) {
		memcpy(to, from, (size_t)longs * sizeof(*from));
		sink += to[i % longs];
	}
}

static void
copy(void)
{
	long *a = make("a"), *c = make("c");

	copy_all(page, PAGE, PAGE); /* the first copy also creates b */
	timed("a+b", copy_all, a, 25L * LONGS);
	timed("c", walk, c, STEPS);
}

static void
together(bool is_three)
{
	long *a = make("a"), *b = make("b"), *c = make("c");
	double begin = cpu();

	if (is_three)
		three_at_once(a, b, c, 2 * STEPS);
	else
		two_at_once(a, b, 2 * STEPS);
	begin = (cpu() - begin) / (is_three ? 3 : 2);
	printf("a %.4f\nb %.4f\n", begin, begin);
	if (is_three)
		printf("c %.4f\n", begin);
}

/* Two phases: a is read in one way, b in the other. */
static const struct program {
	const char *name;
	phase *a, *b;
	int times_a, times_b; /* steps of both phases, in units of STEPS */
} programs[] = {
	{ "two walks", walk, walk, 2, 1 },
	{ "walk, a tenth of it another", walk, walk, 9, 1 },
	{ "walk and stream", walk, stream, 1, 20 },
	{ "two streams", stream, stream, 30, 10 },
	{ "stream and stride", stream, stride, 20, 2 },
	{ "two strides", stride, stride, 6, 2 },
	{ "walk and random stores", walk, store, 1, 2 },
	{ "walk and histogram", walk, modify, 1, 2 },
	{ "two histograms", modify, modify, 4, 2 },
	{ "walk and memset", walk, clear, 1, 25 },
	{ "list and walk", chase, walk, 1, 1 },
	{ "list and stream", chase, stream, 1, 20 },
	{ "hash and walk", probe, walk, 2, 1 },
	{ "list and hash", chase, probe, 1, 2 },
	{ "binary search and walk", search, walk, 1, 1 },
};

enum { PROGRAMS = sizeof(programs) / sizeof(*programs) };

static const char *const others[] = { "memcpy and walk",
	"two arrays at one index", "three arrays at one index",
	"static array and walk", "mapping and walk" };

static void
run_two(const struct program *p)
{
	long *a = make("a"), *b = make("b");

	if (p->a == chase)
		link_all(a, LONGS);
	timed("a", p->a, a, (long)p->times_a * STEPS);
	timed("b", p->b, b, (long)p->times_b * STEPS);
}

static void
run_other(int i)
{
	long *p;

	switch (i) {
	case 0:
		copy();
		return;
	case 1:
	case 2:
		together(i == 2);
		return;
	case 3:
		stream(fixed, LONGS, LONGS);
		timed("fixed", walk, fixed, STEPS);
		break;
	default:
		p = mmap(NULL, LONGS * sizeof(*p), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(p, 1, LONGS * sizeof(*p));
		weft_mem_name(p, "m");
		timed("m", walk, p, STEPS);
		break;
	}
	timed("b", walk, make("b"), STEPS);
}

int
main(int argc, char **argv)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (argc < 2)
			puts(programs[i].name);
		else if (strcmp(argv[1], programs[i].name) == 0)
			run_two(&programs[i]);
	for (int i = 0; i < 5; i++)
		if (argc < 2)
			puts(others[i]);
		else if (strcmp(argv[1], others[i]) == 0)
			run_other(i);
	return 0;
}
