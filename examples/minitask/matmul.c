/* SPDX-License-Identifier: MIT */
/*
 * matmul [SIZE [BLOCK]] - C = A B of square matrices. Each block of A and B is
 * filled by a task that writes it; each product of two blocks is a task that
 * reads both and adds to one of C.
 */
#include "program.h"

static long size, block;
static double *a, *b, *c;

struct fill {
	double *of;
	long row, column, seed;
};

struct product {
	long i, j, k; /* first rows and columns of blocks */
};

static double *
at(double *of, long row, long column)
{
	return of + row * size + column;
}

static long
end_of(long begin)
{
	return begin + block < size ? begin + block : size;
}

/* Small integers: sums are exact in any order. */
static void
fill(void *arg)
{
	const struct fill *f = arg;

	for (long i = f->row; i < end_of(f->row); i++)
		for (long j = f->column; j < end_of(f->column); j++)
			*at(f->of, i, j) =
				(double)((i * 7 + j * f->seed) % 10 - 4);
}
static struct mt_type fill_type = MT_TYPE("matmul: fill", fill, struct fill);

static void
multiply(void *arg)
{
	const struct product *p = arg;

	for (long i = p->i; i < end_of(p->i); i++)
		for (long k = p->k; k < end_of(p->k); k++) {
			double factor = *at(a, i, k);

			for (long j = p->j; j < end_of(p->j); j++)
				*at(c, i, j) += factor * *at(b, k, j);
		}
}
static struct mt_type multiply_type =
	MT_TYPE("matmul: multiply", multiply, struct product);

static void
spawn_fill(double *of, long row, long column, long seed)
{
	mt_spawn(&fill_type, &(struct fill){ of, row, column, seed },
		(struct mt_access[]){ { MT_OUT, at(of, row, column) }, { 0 } });
}

static void
spawn_products(long i, long j)
{
	for (long k = 0; k < size; k += block)
		mt_spawn(&multiply_type, &(struct product){ i, j, k },
			(struct mt_access[]){ { MT_IN, at(a, i, k) },
				{ MT_IN, at(b, k, j) },
				{ MT_INOUT, at(c, i, j) }, { 0 } });
}

static void
matmul(void *none)
{
	(void)none;
	for (long i = 0; i < size; i += block)
		for (long j = 0; j < size; j += block) {
			spawn_fill(a, i, j, 3);
			spawn_fill(b, i, j, 5);
		}
	for (long i = 0; i < size; i += block)
		for (long j = 0; j < size; j += block)
			spawn_products(i, j);
}
static struct mt_type matmul_type = MT_TYPE("main", matmul, char);

/* C x = A (B x), for a vector of which no two elements are equal. */
static bool
is_right(double *bx)
{
	bool ok = true;

	for (long k = 0; k < size; k++)
		for (long j = 0; j < size; j++)
			bx[k] += *at(b, k, j) * (double)(j + 1);
	for (long i = 0; i < size; i++) {
		double have = 0, want = 0;

		for (long j = 0; j < size; j++) {
			have += *at(c, i, j) * (double)(j + 1);
			want += *at(a, i, j) * bx[j];
		}
		ok = ok && have == want;
	}
	return ok;
}

int
main(int argc, char *argv[])
{
	size_t n;
	double *memory;
	bool ok;

	size = argument(argc, argv, 1, 256, 20000);
	block = argument(argc, argv, 2, 64, 20000);
	n = (size_t)size * (size_t)size;
	memory = calloc(3 * n + (size_t)size, sizeof(double));
	if (!memory) {
		perror("matmul");
		return 1;
	}
	a = memory;
	b = a + n;
	c = b + n;
	mt_start();
	mt_run(&matmul_type, NULL);
	mt_stop();
	printf("matmul: %ld x %ld in blocks of %ld\n", size, size, block);
	ok = is_right(c + n);
	free(memory);
	return verdict("matmul", ok);
}
