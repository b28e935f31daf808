/* SPDX-License-Identifier: MIT */
/*
 * leaver FILE N [stuck] - N detached threads record some events and end, while
 * main returns.
 *
 * FILE gets four 64-bit numbers: how often the exit of the process slept, how
 * often it waited for at most some time, how often without an end, and when
 * main returned (ns since 1970). stuck: a thread never comes back from a write.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "weft/trace.h"

static struct weft_region work = WEFT_REGION("work");
static volatile uint64_t *counts, none[4];
static int is_leaving, is_stuck, main_tid;

/* The library calls these: its own calls come here. */
WEFT_API int nanosleep(const struct timespec *t, struct timespec *left);
WEFT_API long syscall(long number, ...);
WEFT_API ssize_t pwritev(int fd, const struct iovec *part, int n, off_t at);

static int
is_exit(void)
{
	return is_leaving && (int)gettid() == main_tid;
}

int
nanosleep(const struct timespec *t, struct timespec *left)
{
	if (is_exit())
		counts[0]++;
	return clock_nanosleep(CLOCK_REALTIME, 0, t, left);
}

long
syscall(long number, ...)
{
	static long (*next)(long, ...);
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_futex && is_exit() &&
		(a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT)
		counts[a[3] != 0 ? 1 : 2]++;
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ssize_t
pwritev(int fd, const struct iovec *part, int n, off_t at)
{
	static ssize_t (*next)(int, const struct iovec *, int, off_t);

	if (is_stuck && (int)gettid() != main_tid)
		for (;;) {
			counts[0] = 1; /* it is there */
			pause();
		}
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "pwritev64");
	return next(fd, part, n, at);
}

static void *
run(void *none_)
{
	for (int i = 0; i < 20; i++) {
		weft_enter(&work);
		weft_leave(&work);
	}
	return none_;
}

int
main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	int n = argc > 2 ? atoi(argv[2]) : 0;
	struct timespec now;
	pthread_attr_t attr;
	pthread_t thread;

	counts = none;
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 2;
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 2;
	main_tid = (int)gettid();
	is_stuck = argc > 3 && strcmp(argv[3], "stuck") == 0;
	run(NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, &attr, run, NULL) != 0)
			usleep(100);
	while (is_stuck && counts[0] == 0)
		usleep(100);
	is_leaving = 1;
	clock_gettime(CLOCK_REALTIME, &now);
	counts[3] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return 7;
}
