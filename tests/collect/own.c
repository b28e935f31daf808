/* SPDX-License-Identifier: MIT */
/*
 * own - a program that wraps functions of the C library itself: those that a
 * library in LD_PRELOAD wraps, too, and that the recorder calls. It counts the
 * calls, and prints how many it made.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 5, NS = 20000000 };

static int n[6];

static void *
next(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (f == NULL)
		abort();
	return f;
}

/* The build hides functions that are not declared so. */
#define SEEN __attribute__((visibility("default")))

#define WRAP(i, result, name, params, args) \
	SEEN result name params; \
	result name params \
	{ \
		static result(*f) params; \
\
		if (f == NULL) \
			*(void **)&f = next(#name); \
		__atomic_fetch_add(&n[i], 1, __ATOMIC_RELAXED); \
		return f args; \
	}

WRAP(0, ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
WRAP(1, ssize_t, write, (int fd, const void *at, size_t size), (fd, at, size))
WRAP(2, int, close, (int fd), (fd))
WRAP(3, int, pthread_mutex_lock, (pthread_mutex_t * m), (m))
WRAP(4, int, pthread_mutex_unlock, (pthread_mutex_t * m), (m))
WRAP(5, int, nanosleep, (const struct timespec *t, struct timespec *left),
	(t, left))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd[2];

static void *
work(void *none)
{
	const struct timespec t = { 0, NS };

	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&lock);
		nanosleep(&t, NULL);
		pthread_mutex_unlock(&lock);
	}
	if (write(fd[1], "x", 1) != 1)
		abort();
	return none;
}

int
main(void)
{
	pthread_t t[2];
	char byte;

	if (pipe(fd) != 0)
		return 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		if (read(fd[0], &byte, 1) != 1)
			return 1;
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], NULL);
		close(fd[i]);
	}
	for (int i = 0; i < 6; i++)
		printf("%d\n", n[i]);
	return 0;
}
