/* SPDX-License-Identifier: MIT */
/*
 * apart.c - four arrays from one malloc statement: two differ by their third
 * caller, the other two only by the call, because both calls stand on one line.
 */
#include <stdlib.h>

#define APART __attribute__((noipa))

static APART long *
one(long n)
{
	long *p = malloc((size_t)n * sizeof(*p));

	for (long i = 0; p != NULL && i < n; i++)
		p[i] = i;
	return p;
}

static APART long *
two(long n)
{
	return one(n);
}

static APART long *
three(long n)
{
	return two(n);
}

static APART long *
left(long n)
{
	return three(n);
}

static APART long *
right(long n)
{
	return three(n);
}

static APART long
sum(const long *a, long n, int times)
{
	unsigned k = 1;
	long s = 0;

	for (long i = 0; i < n * times; i++) {
		k = k * 1664525 + 1013904223;
		s += a[(k >> 7) % (unsigned)n];
	}
	return s;
}

int
main(void)
{
	long n = 1 << 21;
	long *a = left(n), *b = right(n);
	/* clang-format off */
	long *c = one(n), *d = one(n);
	/* clang-format on */

	return (sum(a, n, 2) + sum(b, n, 2) + sum(c, n, 2) + sum(d, n, 2)) & 1 &
		(n == 0);
}
