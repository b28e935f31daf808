/* SPDX-License-Identifier: MIT */
/*
 * bench.h - functions shared by the programs of this directory: a fatal
 * message, two clocks, complete writes, and numbers with suffixes (200k, 10M).
 *
 *	double t0 = bench_wall();
 *	...
 *	printf("%.3f s\n", bench_wall() - t0);
 */
#ifndef WEFT_BENCH_BENCH_H
#define WEFT_BENCH_BENCH_H

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define BENCH_USAGE 2 /* exit codes, the same as weft's */
#define BENCH_COULD_NOT 3

/* Prints "PROGRAM: text" on standard error and ends with that code. */
__attribute__((noreturn, cold, format(printf, 2, 3))) static inline void
bench_die(int code, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(code);
}

/* Return seconds since some point in the past: of the wall clock, and of user +
 * system time of this process. */
static inline double
bench_wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double
bench_seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static inline double
bench_cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return bench_seconds(u.ru_utime) + bench_seconds(u.ru_stime);
}

/* Writes all n bytes, or ends the program with a message that names `path`. */
static inline void
bench_write(int fd, const char *data, size_t n, const char *path)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			bench_die(BENCH_COULD_NOT, "cannot write %s: %s", path,
				strerror(errno));
		data += done;
		n -= (size_t)done;
	}
}

/* Reads a number from min to max with an optional k (10^3) or M (10^6). */
static inline uint64_t
bench_number(const char *what, const char *s, uint64_t min, uint64_t max)
{
	char *end = NULL;
	unsigned long long n;
	uint64_t unit = 1;

	errno = 0;
	n = strtoull(s, &end, 10);
	if (*end == 'k' || *end == 'M')
		unit = *end++ == 'k' ? 1000 : 1000000;
	if (*s < '0' || *s > '9' || *end != '\0' || errno != 0 ||
		n > max / unit || n * unit < min)
		bench_die(BENCH_USAGE, "%s: not a number from %llu to %llu: %s",
			what, (unsigned long long)min, (unsigned long long)max,
			s);
	return n * unit;
}

#endif
