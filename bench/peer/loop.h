/* SPDX-License-Identifier: MIT */
/*
 * loop.h - the loop of all programs of this directory: pins the process to a
 * CPU, measures the median of 51 bursts, and measures rdtsc in the same way for
 * the ratio.
 */
#ifndef WEFT_BENCH_PEER_LOOP_H
#define WEFT_BENCH_PEER_LOOP_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static inline void
peer_tsc(void)
{
	__asm__ volatile("" : : "r"(__builtin_ia32_rdtsc()) : "memory");
}

static inline double
peer_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int
peer_less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Pins the process and returns the number of events of a burst. */
static inline long
peer_start(int argc, char **argv)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	return argc > 1 ? atol(argv[1]) : 10000;
}

/* Prints "NAME MEDIAN" of 51 bursts of n, with a pause in which the tracer
 * drains. */
#define PEER_TIME(name, n, body) \
	do { \
		static double ns_[51]; \
		for (int r_ = 0; r_ < 51; r_++) { \
			usleep(3000); \
			double from_ = peer_now(); \
			for (long i = 0; i < (n); i++) { \
				body; \
			} \
			ns_[r_] = (peer_now() - from_) / (double)(n); \
		} \
		qsort(ns_, 51, sizeof(ns_[0]), peer_less); \
		printf("%s %.2f\n", name, ns_[25]); \
	} while (0)

#endif
