/* SPDX-License-Identifier: MIT */
/*
 * heat [SIZE [BLOCK [SWEEPS]]] - computes how heat spreads over a square plate,
 * by the Gauss-Seidel method: each cell becomes the mean of its four
 * neighbours, two of which have their new values already. A task relaxes one
 * block. It runs after the blocks above and to the left of the same sweep, and
 * after the blocks below and to the right of the previous sweep. So all sweeps
 * overlap, and the result equals that of the plain loop.
 */
#include <string.h>

#include "program.h"

static long size, block, sweeps;
static double *plate; /* with a border of one cell */

struct at {
	long row, column; /* of the block's first cell, from 1 */
};

static double *
point(double *of, long row, long column)
{
	return of + row * (size + 2) + column;
}

static long
end_of(long begin)
{
	return begin + block <= size ? begin + block : size + 1;
}

static void
relax(double *of, struct at at)
{
	for (long i = at.row; i < end_of(at.row); i++)
		for (long j = at.column; j < end_of(at.column); j++)
			*point(of, i, j) = 0.25 *
				(*point(of, i - 1, j) + *point(of, i, j - 1) +
					*point(of, i + 1, j) +
					*point(of, i, j + 1));
}

static void
run_block(void *arg)
{
	relax(plate, *(struct at *)arg);
}
static struct mt_type block_type =
	MT_TYPE("heat: relax a block", run_block, struct at);

/* Returns the address of a block's first cell, by which tasks name the block.
 * Outside the plate this is a cell of the border, which no task writes. */
static struct mt_access
use(enum mt_mode mode, long row, long column)
{
	bool is_on = row >= 1 && row <= size && column >= 1 && column <= size;

	return (struct mt_access){ mode,
		is_on ? point(plate, row, column) : plate };
}

static void
spawn_sweep(void)
{
	for (long i = 1; i <= size; i += block)
		for (long j = 1; j <= size; j += block)
			mt_spawn(&block_type, &(struct at){ i, j },
				(struct mt_access[]){ use(MT_INOUT, i, j),
					use(MT_IN, i - block, j),
					use(MT_IN, i, j - block),
					use(MT_IN, i + block, j),
					use(MT_IN, i, j + block), { 0 } });
}

static void
solve(void *none)
{
	(void)none;
	for (long sweep = 0; sweep < sweeps; sweep++)
		spawn_sweep();
}
static struct mt_type solve_type = MT_TYPE("heat: create tasks", solve, char);

/* Makes a plate whose upper edge is hot. */
static double *
new_plate(void)
{
	size_t n = (size_t)(size + 2) * (size_t)(size + 2);
	double *new = calloc(n, sizeof(double));

	if (!new) {
		perror("heat");
		exit(1);
	}
	for (long j = 0; j < size + 2; j++)
		*point(new, 0, j) = 100;
	return new;
}

/* Computes the expected result, in one block as large as the plate. */
static double *
plain(void)
{
	double *of = new_plate();
	long was = block;

	block = size;
	for (long sweep = 0; sweep < sweeps; sweep++)
		relax(of, (struct at){ 1, 1 });
	block = was;
	return of;
}

int
main(int argc, char *argv[])
{
	double *want;
	size_t bytes;
	bool ok;

	size = argument(argc, argv, 1, 512, 20000);
	block = argument(argc, argv, 2, 64, 20000);
	sweeps = argument(argc, argv, 3, 20, 100000);
	bytes = (size_t)(size + 2) * (size_t)(size + 2) * sizeof(double);
	want = plain(); /* before the first event: not on the timeline */
	plate = new_plate();
	mt_start();
	mt_run(&solve_type, NULL);
	mt_stop();
	printf("heat: %ld x %ld points in blocks of %ld, %ld sweeps\n", size,
		size, block, sweeps);
	ok = memcmp(want, plate, bytes) == 0;
	free(want);
	free(plate);
	return verdict("heat", ok);
}
