/* SPDX-License-Identifier: MIT */
/*
 * leaver FILE N [HOW] - N detached threads record some events and end, while
 * main returns.
 *
 * FILE gets 64-bit numbers about the exit of the process: how often it slept,
 * how often it waited with a timeout, how often without one, when main returned
 * (ns since 1970), how many threads started to wait, how often the exit wrote
 * events, how many bytes of them, how often threads waited with a timeout.
 *
 * HOW: stuck, a thread never returns from a write; stuck-start, nor from making
 * its directory; queue, a thread makes its directory only when all others wait
 * to start, and the exit waits, too; names, each thread names regions of its
 * own all the time; busy, each thread records all the time and none ends; the
 * exit writes when all wait.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "syscalls.h"
#include "weft/trace.h"

enum { PATIENCE = 30000 /* ms */, REGIONS = 10000 };

static struct weft_region work = WEFT_REGION("work");
static _Atomic uint64_t *counts, none[8];
static const char *how = "";
static _Atomic int is_leaving;
static int main_tid, nthreads;
static _Atomic int nbusy, is_there;

static int
is(const char *what)
{
	return strcmp(how, what) == 0;
}

static int
is_exit(void)
{
	return is_leaving && (int)gettid() == main_tid;
}

static void
get_stuck(void)
{
	for (;;) {
		is_there = 1;
		pause();
	}
}

/* Only the first thread comes here: it holds the process lock. */
static void
make_directory(void)
{
	if (main_tid == 0 || (int)gettid() == main_tid)
		return;
	if (is("stuck-start"))
		get_stuck();
	while (is("queue") &&
		(counts[4] + 1 < (uint64_t)nthreads || counts[2] == 0)) {
		is_there = 1;
		usleep(100);
	}
}

static int
is_wait(int op)
{
	op &= FUTEX_CMD_MASK;
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
}

static void
write_parts(const struct iovec *part, long n)
{
	if (is("stuck") && (int)gettid() != main_tid)
		get_stuck();
	for (int i = 0; is("busy") && is_exit() && i < PATIENCE; i++) {
		if (counts[7] >= (uint64_t)nthreads)
			break;
		usleep(1000);
	}
	if (is_exit())
		counts[5]++;
	for (long i = 0; i < n && is_exit(); i++)
		counts[6] += part[i].iov_len;
}

static bool
before_syscall(long number, long a[6])
{
	if (number == SYS_mkdirat)
		make_directory();
	if (number == SYS_pwritev)
		write_parts((const struct iovec *)a[1], a[2]);
	if (number == SYS_nanosleep && is_exit())
		counts[0]++;
	if (number == SYS_futex && is_wait((int)a[1]) && is_exit())
		counts[a[3] != 0 ? 1 : 2]++;
	else if (number == SYS_futex && is_wait((int)a[1]))
		counts[a[3] != 0 ? 7 : 4]++;
	return true;
}

static void
name_many(void)
{
	static struct weft_region many[1 << 17];
	static int n;

	for (int i;
		(i = __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED)) < 1 << 17;) {
		char *name = malloc(24);

		snprintf(name, 24, "region %d", i);
		many[i].name = name;
		weft_enter(&many[i]);
		weft_leave(&many[i]);
	}
}

static void
be_busy(void)
{
	weft_enter(&work);
	weft_leave(&work);
	nbusy++;
	while (!is_leaving)
		usleep(100);
	for (long i = 0;; i++) {
		weft_enter(&work);
		weft_leave(&work);
		/* under a sanitizer this process takes long to call exit */
		if (i > REGIONS)
			usleep(100);
	}
}

static void *
run(void *none_)
{
	if (is("busy") && (int)gettid() != main_tid)
		be_busy();
	if (is("names") && (int)gettid() != main_tid)
		name_many();
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
	how = argc > 3 ? argv[3] : "";
	nthreads = n;
	run(NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, &attr, run, NULL) != 0)
			usleep(100);
	while ((is("stuck") || is("stuck-start") || is("queue")) && !is_there)
		usleep(100);
	while (is("queue") && counts[4] + 1 < (uint64_t)n)
		usleep(100);
	while (is("busy") && nbusy < n)
		usleep(100);
	if (is("names"))
		usleep(2000);
	is_leaving = 1;
	clock_gettime(CLOCK_REALTIME, &now);
	counts[3] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return 7;
}
