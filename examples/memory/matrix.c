/* SPDX-License-Identifier: MIT */
/*
 * matrix.c - a matrix product whose inner loop walks down the columns of b.
 *
 *	weft run -e datacentric ./matrix 1024
 *	weft mem report matrix-1.weft/mem
 *
 * The report charges nearly all time to b, though a and b are read equally
 * often: each step down a column is another cache line. With "rows" the loops
 * are in the other order, and the same product takes a fraction of the time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft/mem.h>

static double *
make(size_t n, double of)
{
	double *m = malloc(n * n * sizeof(*m));

	for (size_t i = 0; m != NULL && i < n * n; i++)
		m[i] = of + (double)(i % 7);
	return m;
}

static void
by_columns(size_t n, const double *a, const double *b, double *c)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void
by_rows(size_t n, const double *a, const double *b, double *c)
{
	memset(c, 0, n * n * sizeof(*c));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int
main(int argc, char *argv[])
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
	double *a, *b, *c;

	if (n < 1 || n > 20000)
		n = 1000;
	a = make(n, 1);
	b = make(n, 2);
	c = make(n, 0);
	if (a == NULL || b == NULL || c == NULL)
		return 1;
	/* One line of code allocated all three; names tell them apart. */
	weft_mem_name(a, "a");
	weft_mem_name(b, "b");
	weft_mem_name(c, "c");
	if (argc > 2 && strcmp(argv[2], "rows") == 0)
		by_rows(n, a, b, c);
	else
		by_columns(n, a, b, c);
	printf("%g\n", c[n + n / 2]);
	return 0;
}
