/* SPDX-License-Identifier: MIT */
/*
 * omp.c - prints the ns of CPU time of OpenMP constructs in one thread, the
 * best of some rounds, and of reads of the time-stamp counter and the clock.
 * Built by gcc and by clang, each with its own runtime.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum {
	ROUNDS = 7,
	REGIONS = 4000,
	BARRIERS = 20000,
	TASKS = 6400,
	LOOPS = 4000,
	WARM = 12, /* rounds of barriers that fill the ring */
	PAUSE_US = 30000,
};

static double
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
regions(void)
{
	for (int i = 0; i < REGIONS; i++)
#pragma omp parallel num_threads(1)
		__asm__ volatile("");
}

static void
barriers(void)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
	}
}

static void
tasks(void)
{
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		__asm__ volatile("");
		if (i % 64 == 63) {
#pragma omp taskwait
		}
	}
}

static void
loops(void)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < LOOPS; i++)
#pragma omp for schedule(dynamic, 1)
		for (int j = 0; j < 16; j++)
			__asm__ volatile("");
}

static void
clocks(void)
{
	struct timespec t;

	for (int i = 0; i < BARRIERS; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
}

static void
counters(void)
{
	for (int i = 0; i < BARRIERS; i++)
		(void)__rdtsc();
}

int
main(void)
{
	static const struct {
		const char *name;
		void (*call)(void);
		int n;
	} things[] = {
		{ "rdtsc", counters, BARRIERS },
		{ "clock", clocks, BARRIERS },
		{ "region", regions, REGIONS },
		{ "barrier", barriers, BARRIERS },
		{ "task", tasks, TASKS },
		{ "loop", loops, LOOPS },
	};

	for (int i = 0; i < WARM; i++)
		barriers();
	for (int k = 0; k < (int)(sizeof things / sizeof *things); k++) {
		double best = 0;

		for (int r = 0; r < ROUNDS; r++) {
			double before, took;

			usleep(PAUSE_US);
			before = cpu_ns();
			things[k].call();
			took = (cpu_ns() - before) / things[k].n;
			if (r == 0 || took < best)
				best = took;
		}
		printf("%s %.2f\n", things[k].name, best);
	}
	return 0;
}
