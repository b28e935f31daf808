/* SPDX-License-Identifier: MIT */
/*
 * heat.c - how heat spreads over a plate, as an OpenMP program that knows
 * nothing of any recorder:
 *
 *	gcc -g -O2 -fopenmp -o heat heat.c
 *	weft run ./heat
 *
 * The lower half of the plate is of a material that needs three times the work,
 * but each thread gets as many rows: those of the upper half wait. Between the
 * steps one thread alone looks for the hottest spot.
 */
#include <stdio.h>

enum { SIZE = 400, STEPS = 60 };

static double plate[2][SIZE][SIZE];

static double
relax(const double (*from)[SIZE], int i, int j, int work)
{
	double heat = from[i][j];

	for (int k = 0; k < work; k++)
		heat = (heat + from[i - 1][j] + from[i + 1][j] +
			       from[i][j - 1] + from[i][j + 1]) /
			5;
	return heat;
}

static double
sweep(double (*to)[SIZE], const double (*from)[SIZE])
{
	double change = 0;

#pragma omp parallel
	{
		double mine = 0;

#pragma omp for schedule(static)
		for (int i = 1; i < SIZE - 1; i++)
			for (int j = 1; j < SIZE - 1; j++) {
				to[i][j] = relax(
					from, i, j, i < SIZE / 2 ? 4 : 12);
				mine += to[i][j] - from[i][j];
			}
#pragma omp critical
		change += mine;
	}
	return change;
}

static double
hottest(const double (*of)[SIZE])
{
	double most = 0;

	for (int i = 1; i < SIZE - 1; i++)
		for (int j = 1; j < SIZE - 1; j++)
			if (of[i][j] > most)
				most = of[i][j];
	return most;
}

int
main(void)
{
	double change = 0, most = 0;

	for (int j = 0; j < SIZE; j++)
		plate[0][0][j] = plate[1][0][j] = 100;
	for (int step = 0; step < STEPS; step++) {
		int now = step % 2;

		change = sweep(plate[!now], (const double(*)[SIZE])plate[now]);
		most = hottest((const double(*)[SIZE])plate[!now]);
	}
	printf("after %d steps the hottest spot has %.1f degrees; the last "
	       "step brought %.3f\n",
		STEPS, most, change);
	return 0;
}
