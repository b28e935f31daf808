/* SPDX-License-Identifier: MIT */
/*
 * touch.c - touches memory for the first time, and does nothing else.
 *
 *	touch MIB    prints ns and the page faults of the process
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { PARTS = 16, PAGE = 4096 };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int
main(int argc, char *argv[])
{
	size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 1024) << 20;
	double begin = now();
	struct rusage r;

	for (int part = 0; part < PARTS; part++) {
		char *p = malloc(bytes / PARTS);

		if (p == NULL)
			return 1;
		madvise(p, bytes / PARTS, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < bytes / PARTS; i += PAGE)
			p[i] = 1;
	}
	begin = now() - begin;
	getrusage(RUSAGE_SELF, &r);
	printf("%.0f %ld\n", begin, r.ru_minflt);
	return 0;
}
