/* SPDX-License-Identifier: MIT */
/*
 * answers.c - more programs whose reason to wait is known, for the test
 * `causes`; see known.c.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "known.h"

enum { TIMES = 30 };

/* Three locks, one of which is held much longer. */
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER,
		       lock_b = PTHREAD_MUTEX_INITIALIZER,
		       lock_c = PTHREAD_MUTEX_INITIALIZER;

static void
hold(pthread_mutex_t *lock, long ns)
{
	pthread_mutex_lock(lock);
	doze(ns);
	pthread_mutex_unlock(lock);
}

static void *
three(void *arg)
{
	doze(MS);
	for (int i = 0; i < TIMES / 2; i++) {
		long since;

		hold(&lock_a, MS / 2);
		since = now();
		pthread_mutex_lock(&lock_b);
		add_since(since);
		doze(4 * MS);
		pthread_mutex_unlock(&lock_b);
		hold(&lock_c, MS / 2);
	}
	return arg;
}

/* Readers are mostly inside, a writer waits for them. */
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static bool is_written; /* atomic */

static void *
starve(void *arg)
{
	while (arg != NULL && !__atomic_load_n(&is_written, __ATOMIC_ACQUIRE)) {
		pthread_rwlock_rdlock(&table);
		doze(8 * MS);
		pthread_rwlock_unlock(&table);
		doze((intptr_t)arg * MS);
	}
	for (int i = 0; arg == NULL && i < TIMES / 3; i++) {
		long since;

		doze(2 * MS);
		since = now();
		pthread_rwlock_wrlock(&table);
		add_since(since);
		pthread_rwlock_unlock(&table);
	}
	__atomic_store_n(&is_written, true, __ATOMIC_RELEASE);
	return arg;
}

/* A pipeline of two stages: the second one is slow. */
static sem_t room, filled;

static void *
pipeline(void *arg)
{
	for (int i = 0; i < 2 * TIMES; i++) {
		long since = now();

		sem_wait(arg == NULL ? &room : &filled);
		if (arg == NULL)
			add_since(since);
		doze(arg == NULL ? MS / 2 : 4 * MS);
		sem_post(arg == NULL ? &filled : &room);
	}
	return arg;
}

/* Threads of C11. */
static mtx_t lock_11;
static cnd_t some_11;
static int n_11;

static int
make_11(void *arg)
{
	for (int i = 0; i < TIMES; i++) {
		doze(3 * MS);
		mtx_lock(&lock_11);
		n_11++;
		cnd_signal(&some_11);
		mtx_unlock(&lock_11);
	}
	return arg != NULL;
}

static void
take_11(void)
{
	thrd_t thread;

	mtx_init(&lock_11, mtx_plain);
	cnd_init(&some_11);
	if (thrd_create(&thread, make_11, NULL) != thrd_success)
		abort();
	for (int i = 0; i < TIMES; i++) {
		long since;

		mtx_lock(&lock_11);
		since = now();
		while (n_11 <= i)
			cnd_wait(&some_11, &lock_11);
		add_since(since);
		mtx_unlock(&lock_11);
	}
	thrd_join(thread, NULL);
}

/* A process waits for another one. */
static void
processes(void)
{
	int ends[2];
	char c = 0;

	if (pipe(ends) != 0)
		abort();
	if (fork() == 0) {
		for (int i = 0; i < TIMES; i++) {
			doze(3 * MS);
			if (write(ends[1], &c, 1) != 1)
				abort();
		}
		_exit(0);
	}
	for (int i = 0; i < TIMES; i++) {
		long since = now();

		if (read(ends[0], &c, 1) != 1)
			abort();
		add_since(since);
	}
	wait(NULL);
}

/* A server is told of its work by a counter of the kernel, for which it waits
 * itself, or by epoll. */
static int work;

static void *
give(void *arg)
{
	for (int i = 0; i < TIMES; i++) {
		doze(3 * MS);
		if (eventfd_write(work, 1) != 0)
			abort();
	}
	return arg;
}

static void
serve(bool polls)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int all = epoll_create1(0);
	pthread_t thread;
	eventfd_t n;

	work = eventfd(0, polls ? EFD_NONBLOCK : 0);
	if (work < 0 || epoll_ctl(all, EPOLL_CTL_ADD, work, &ev) != 0 ||
		pthread_create(&thread, NULL, give, NULL) != 0)
		abort();
	for (eventfd_t got = 0; got < TIMES; got += n) {
		long since = now();

		if (polls && epoll_wait(all, &ev, 1, -1) != 1)
			abort();
		if (eventfd_read(work, &n) != 0)
			abort();
		add_since(since);
	}
	pthread_join(thread, NULL);
}

/* Nobody signals. */
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void
wait_in_vain(void)
{
	struct timespec until;

	pthread_mutex_lock(&lock_a);
	for (int i = 0; i < TIMES; i++) {
		long since = now();

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 4 * MS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&never, &lock_a, &until);
		add_since(since);
	}
	pthread_mutex_unlock(&lock_a);
}

int
main(int argc, char *argv[])
{
	const char *name = argc > 1 ? argv[1] : "";

	doze(MS / 100); /* the recording begins before what is measured */
	if (strcmp(name, "three") == 0)
		run_all(three, THREADS);
	else if (strcmp(name, "starve") == 0)
		run_all(starve, THREADS);
	else if (strcmp(name, "pipeline") == 0) {
		sem_init(&room, 0, 2);
		sem_init(&filled, 0, 0);
		run_all(pipeline, 2);
	} else if (strcmp(name, "take_11") == 0)
		take_11();
	else if (strcmp(name, "processes") == 0)
		processes();
	else if (strcmp(name, "serve") == 0)
		serve(false);
	else if (strcmp(name, "polls") == 0)
		serve(true);
	else if (strcmp(name, "wait_in_vain") == 0)
		wait_in_vain();
	else
		return 2;
	fprintf(stderr, "%s %ld\n", name, total);
	return 0;
}
