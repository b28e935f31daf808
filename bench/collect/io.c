/* SPDX-License-Identifier: MIT */
/*
 * io.c - prints the ns of CPU time of a read of one byte: of a regular file,
 * which is timed and counted, of a pipe, which is recorded as two events, and
 * of a stream's buffer (getc), which is only passed on. The best of some
 * rounds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5 };

static double
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int file, ends[2];
static FILE *stream;

static void
of_file(int n)
{
	char c;

	for (int i = 0; i < n; i++)
		if (pread(file, &c, 1, 0) != 1)
			abort();
}

static void
of_pipe(int n)
{
	char c = 0;

	for (int i = 0; i < n; i++)
		if (write(ends[1], &c, 1) != 1 || read(ends[0], &c, 1) != 1)
			abort();
}

static void
of_buffer(int n)
{
	for (int i = 0; i < n; i++) {
		if (getc(stream) == EOF)
			rewind(stream);
	}
}

static double
best(void (*run)(int), int n)
{
	double least = 0;

	run(n / 10);
	for (int r = 0; r < ROUNDS; r++) {
		double before = cpu_ns(), took;

		run(n);
		took = (cpu_ns() - before) / n;
		if (r == 0 || took < least)
			least = took;
	}
	return least;
}

int
main(void)
{
	char name[] = "/tmp/weft-bench-io-XXXXXX", page[4096] = "";

	file = mkstemp(name);
	if (file < 0 || write(file, page, sizeof page) != sizeof page ||
		pipe(ends) != 0)
		return 3;
	stream = fopen(name, "r");
	unlink(name);
	if (stream == NULL)
		return 3;
	printf("%.2f %.2f %.2f\n", best(of_file, 300000), best(of_pipe, 50000),
		best(of_buffer, 2000000));
	return 0;
}
