/* SPDX-License-Identifier: MIT */
/*
 * io.c - prints the ns of CPU time of a read of one byte: of a regular file,
 * which is timed and counted, of a pipe, which is recorded as two events, and
 * of a stream's buffer (getc), which is only passed on. The best of some
 * rounds. Then how many ns read(), pread() and an uncontended pair of
 * pthread_mutex_lock() and unlock() take longer than the C library's own
 * functions, called beside them in short turns that alternate: the median of
 * the turns, which other load hardly changes.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, TURNS = 401, CALLS = 500 };

static double
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int file, zero, ends[2];
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

/* A function as the program calls it, and that of the C library. */
struct pair {
	ssize_t (*read[2])(int, void *, size_t);
	ssize_t (*pread[2])(int, void *, size_t, off_t);
	int (*lock[2])(pthread_mutex_t *), (*unlock[2])(pthread_mutex_t *);
};
static struct pair pair;

static void
read_zero(int which)
{
	char c;

	for (int i = 0; i < CALLS; i++)
		pair.read[which](zero, &c, 1);
}

static void
pread_file(int which)
{
	char c;

	for (int i = 0; i < CALLS; i++)
		pair.pread[which](file, &c, 1, 0);
}

static void
lock_pair(int which)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	for (int i = 0; i < CALLS; i++) {
		pair.lock[which](&mutex);
		pair.unlock[which](&mutex);
	}
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns how many ns a call takes longer than the C library's. */
static double
longer(void (*run)(int which))
{
	static double more[TURNS];

	for (int t = 0; t < TURNS; t++) {
		double start = cpu_ns(), middle;

		run(t % 2);
		middle = cpu_ns();
		run(1 - t % 2);
		more[t] = (middle - start - (cpu_ns() - middle)) / CALLS;
		if (t % 2 == 1)
			more[t] = -more[t];
	}
	qsort(more, TURNS, sizeof *more, by_size);
	return more[TURNS / 2];
}

static void *
sleep_on(void *none)
{
	pause();
	return none;
}

/* Finds the functions. A second thread exists: without one the C library takes
 * locks by plain stores. */
static bool
find_pairs(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	pthread_t other;

	if (libc == NULL || pthread_create(&other, NULL, sleep_on, NULL) != 0)
		return false;
	pair = (struct pair){ .read = { read },
		.pread = { pread },
		.lock = { pthread_mutex_lock },
		.unlock = { pthread_mutex_unlock } };
	*(void **)&pair.read[1] = dlsym(libc, "read");
	*(void **)&pair.pread[1] = dlsym(libc, "pread");
	*(void **)&pair.lock[1] = dlsym(libc, "pthread_mutex_lock");
	*(void **)&pair.unlock[1] = dlsym(libc, "pthread_mutex_unlock");
	return pair.read[1] != NULL && pair.pread[1] != NULL &&
		pair.lock[1] != NULL && pair.unlock[1] != NULL;
}

int
main(void)
{
	char name[] = "/tmp/weft-bench-io-XXXXXX", page[4096] = "";

	file = mkstemp(name);
	if (file < 0 || write(file, page, sizeof page) != sizeof page ||
		pipe(ends) != 0 ||
		(zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)) < 0)
		return 3;
	stream = fopen(name, "r");
	unlink(name);
	if (stream == NULL)
		return 3;
	printf("%.2f %.2f %.2f", best(of_file, 300000), best(of_pipe, 50000),
		best(of_buffer, 2000000));
	if (!find_pairs())
		return 3;
	printf(" %.2f %.2f %.2f\n", longer(read_zero), longer(pread_file),
		longer(lock_pair));
	return 0;
}
