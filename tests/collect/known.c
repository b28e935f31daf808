/* SPDX-License-Identifier: MIT */
/*
 * known.c - programs whose reason to wait is known, for the test `causes`. The
 * first argument chooses one. Each measures its own waits and prints them on
 * standard error in ns: "lock 123456".
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "known.h"

enum { TIMES = 25 };

pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ball = PTHREAD_COND_INITIALIZER;
static int turn;

/* Two threads take two locks in opposite order, and wait for ever. */
pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
deadlock(void *arg)
{
	pthread_mutex_t *first = arg == NULL ? &pool_lock : &other_lock;

	pthread_mutex_lock(first);
	doze(20 * MS);
	pthread_mutex_lock(arg == NULL ? &other_lock : &pool_lock);
	return arg;
}

/* All threads need one lock nearly all the time. */
static void *
convoy(void *arg)
{
	doze(MS);
	for (int i = 0; i < TIMES; i++) {
		long since = now();

		pthread_mutex_lock(&pool_lock);
		add_since(since);
		doze(2 * MS);
		pthread_mutex_unlock(&pool_lock);
		doze(MS / 10);
	}
	return arg;
}

/* The same with a lock of C11. */
static mtx_t c11_lock;

static void *
convoy_c11(void *arg)
{
	doze(MS);
	for (int i = 0; i < TIMES; i++) {
		long since = now();

		mtx_lock(&c11_lock);
		add_since(since);
		doze(2 * MS);
		mtx_unlock(&c11_lock);
		doze(MS / 10);
	}
	return arg;
}

/* The same with a futex, as Rust's std::sync::Mutex uses it. */
static int word; /* atomic. 0: free, 1: taken, 2: taken and waited for */

static void *
convoy_futex(void *arg)
{
	doze(MS);
	for (int i = 0; i < TIMES; i++) {
		long since = now();
		int was = 0;

		if (!__atomic_compare_exchange_n(&word, &was, 1, 0,
			    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE))
				syscall(SYS_futex, &word, 128, 2, NULL, NULL,
					0);
		add_since(since);
		doze(2 * MS);
		if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2)
			syscall(SYS_futex, &word, 129, 1, NULL, NULL, 0);
		doze(MS / 10);
	}
	return arg;
}

/* Locks that no variable names: made by one function, without a function that
 * initialises it, and on the stack. */
static pthread_mutex_t *held;

static void *
hold(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(held);
		doze(2 * MS);
		pthread_mutex_unlock(held);
		doze(MS / 10);
	}
	return arg;
}

static pthread_mutex_t *
make_lock(void)
{
	pthread_mutex_t *m = malloc(sizeof *m);

	if (m == NULL || pthread_mutex_init(m, NULL) != 0)
		abort();
	return m;
}

/* The lock of the first of two threads. */
static __thread pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *
hold_own(void *arg)
{
	if (arg == NULL)
		held = &own_lock;
	pthread_barrier_wait(&both);
	hold(arg);
	pthread_barrier_wait(&both);
	return arg;
}

static void
nameless(void)
{
	pthread_mutex_t usual = PTHREAD_MUTEX_INITIALIZER, here,
			*bare = malloc(sizeof *bare), *made = make_lock();

	if (bare == NULL || pthread_mutex_init(&here, NULL) != 0)
		abort();
	memcpy(bare, &usual, sizeof usual);
	held = made;
	run_all(hold, 2);
	held = make_lock();
	run_all(hold, 2);
	pthread_mutex_destroy(held);
	free(held);
	pthread_mutex_destroy(made);
	free(made);
	held = bare;
	run_all(hold, 2);
	free(bare);
	held = &here;
	run_all(hold, 2);
	pthread_mutex_destroy(&here);
	held = &usual;
	run_all(hold, 2);
	held = &own_lock;
	run_all(hold, 2);
	pthread_barrier_init(&both, NULL, 2);
	run_all(hold_own, 2);
	pthread_barrier_destroy(&both);
}

/* A ball goes to and fro. */
static void *
pingpong(void *arg)
{
	int me = arg != NULL;

	doze(MS);
	for (int i = 0; i < 4 * TIMES; i++) {
		pthread_mutex_lock(&pool_lock);
		while (turn != me) {
			long since = now();

			pthread_cond_wait(&ball, &pool_lock);
			add_since(since);
		}
		doze(MS / 2);
		turn = !me;
		pthread_cond_signal(&ball);
		pthread_mutex_unlock(&pool_lock);
	}
	return arg;
}

/* A server writes each record to the disk before it answers. */
static void *
disk(void *arg)
{
	char name[] = "weft-known-XXXXXX", text[4096] = "";
	int fd = mkstemp(name);

	if (fd < 0)
		abort();
	for (int i = 0; i < TIMES; i++) {
		long since;

		if (write(fd, text, sizeof text) != sizeof text)
			abort();
		since = now();
		fsync(fd);
		add_since(since);
	}
	close(fd);
	unlink(name);
	return arg;
}

/* Reads and writes again and again, each in much less than 20 us. */
static void *
brief(void *arg)
{
	static char text[1 << 14];
	int from = open("/dev/zero", O_RDONLY),
	    to = open("/dev/null", O_WRONLY);
	long since = now();

	for (int i = 0; i < 200000; i++)
		if (read(from, text, sizeof text) != sizeof text) /* BRIEF */
			abort();
	add_since(since);
	for (int i = 0; i < 20000; i++)
		if (write(to, text, 1) != 1)
			abort();
	close(to);
	close(from);
	return arg;
}

/* A thread waits for another one, which nothing but the kernel sees. */
static void *
pipes(void *arg)
{
	static int ends[2];
	long since;
	char c = 0;

	if (arg == NULL && pipe(ends) != 0)
		abort();
	if (arg == NULL)
		__atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 0)
		doze(MS / 10);
	for (int i = 0; i < TIMES; i++) {
		if (arg != NULL)
			doze(2 * MS);
		since = now();
		if (arg != NULL ? write(ends[1], &c, 1) != 1
				: read(ends[0], &c, 1) != 1)
			abort();
		if (arg == NULL)
			add_since(since);
	}
	return arg;
}

/* Adds how long the thread was ready, as the kernel tells. */
static void
add_ready(void)
{
	char text[128] = "", path[64];
	unsigned long long ran, ready = 0;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/schedstat",
		(int)syscall(SYS_gettid));
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0 &&
		sscanf(text, "%llu %llu", &ran, &ready) == 2)
		__atomic_add_fetch(&total, (long)ready, __ATOMIC_RELAXED);
	close(fd);
}

/* More threads than CPUs. */
static void *
crowd(void *arg)
{
	struct timespec used = { 0 };

	while (used.tv_nsec < 40 * MS)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	add_ready();
	return arg;
}

/* Computes for so long. */
static void
burn(long ns)
{
	struct timespec begin, t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while ((t.tv_sec - begin.tv_sec) * 1000000000 + t.tv_nsec -
			begin.tv_nsec <
		ns);
}

static void *
burn_briefly(void *arg)
{
	burn(2 * MS);
	return arg;
}

static void *
burn_at_once(void *arg)
{
	burn(MS / 2);
	doze(MS); /* is recorded */
	add_ready();
	return arg;
}

/* Short threads that wait for their first CPU, on which others work. */
static void
starts(void)
{
	enum { MANY = 40 };
	pthread_t th[MANY];

	for (int i = 0; i < MANY; i++)
		if (pthread_create(&th[i], NULL, burn_at_once, NULL) != 0)
			abort();
	for (int i = 0; i < MANY; i++)
		pthread_join(th[i], NULL);
	add_ready();
}

/* Threads that wait for nothing, and end before anyone looks at them. */
static void
burns(void)
{
	pthread_t th;

	doze(200 * MS);
	for (int i = 0; i < 10; i++)
		if (pthread_create(&th, NULL, burn_briefly, NULL) != 0 ||
			pthread_join(th, NULL) != 0)
			abort();
}

/* A thread that works is stopped, and goes on 150 ms later. */
static void
halt(void)
{
	long since;

	burn(20 * MS);
	if (fork() == 0) {
		doze(300 * MS);
		/* weft run stops, too, maybe later */
		for (int i = 0; i < 10; i++) {
			doze(50 * MS);
			kill(0, SIGCONT);
		}
		_exit(0);
	}
	since = now();
	kill(getpid(), SIGSTOP);
	add_since(since);
	burn(20 * MS);
	wait(NULL);
}

/* A child is stopped, and its parent lets it go on. */
static void
halt_child(void)
{
	int ends[2];
	pid_t pid;
	char c = 0;

	if (pipe(ends) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		long since, was;

		burn(20 * MS);
		if (write(ends[1], &c, 1) != 1)
			abort();
		since = now();
		kill(getpid(), SIGSTOP);
		was = now() - since;
		burn(20 * MS);
		_exit(write(ends[1], &was, sizeof was) != sizeof was);
	}
	if (read(ends[0], &c, 1) != 1)
		abort();
	doze(400 * MS);
	kill(pid, SIGCONT);
	if (read(ends[0], &total, sizeof total) != sizeof total)
		abort();
	wait(NULL);
}

/* A thread starts another one and waits for it, again and again. */
static void *
nap(void *arg)
{
	doze(MS);
	return arg;
}

static void *
joins(void *arg)
{
	pthread_t thread;

	for (int i = 0; i < 2 * TIMES; i++) {
		long since = now();

		if (pthread_create(&thread, NULL, nap, NULL) != 0)
			abort();
		pthread_join(thread, NULL);
		add_since(since);
	}
	return arg;
}

static void
on_one_cpu(void)
{
	cpu_set_t set;
	size_t cpu = (size_t)sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

/* Locks inside blocks of the heap that two functions allocate. */
struct table {
	pthread_mutex_t lock;
	char data[100000];
};

static const struct table empty = { PTHREAD_MUTEX_INITIALIZER, { 0 } };

__attribute__((noinline)) static struct table *
make_table(void)
{
	struct table *t = malloc(sizeof *t);

	if (t == NULL)
		abort();
	*t = empty;
	return t;
}

__attribute__((noinline)) static struct table *
make_copy(const struct table *of)
{
	struct table *t = malloc(sizeof *t);

	if (t == NULL)
		abort();
	*t = *of;
	return t;
}

__attribute__((noinline)) static struct table *
map_table(void)
{
	void *t = mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		abort();
	return t;
}

/* Maps memory by a call that the memory recorder does not see. */
static void
map_unseen(void *at)
{
	syscall(SYS_mmap, at, sizeof(struct table), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void
tables(void)
{
	struct table *t = make_table();

	held = &t->lock;
	run_all(hold, 2);
	free(t);
	t = make_copy(&empty); /* mostly at the same address */
	held = &t->lock;
	run_all(hold, 2);
	free(t);
	t = map_table();
	held = &t->lock;
	run_all(hold, 2);
	munmap(t, sizeof *t);
	map_unseen(t);
	run_all(hold, 2);
}

int
main(int argc, char *argv[])
{
	const char *name = argc > 1 ? argv[1] : "";

	doze(MS / 100); /* the recording begins before what is measured */
	if (strcmp(name, "convoy") == 0)
		run_all(convoy, THREADS);
	else if (strcmp(name, "deadlock") == 0)
		run_all(deadlock, 2);
	else if (strcmp(name, "pingpong") == 0)
		run_all(pingpong, 2);
	else if (strcmp(name, "pipes") == 0)
		run_all(pipes, 2);
	else if (strcmp(name, "kinds") == 0) {
		run_all(convoy, THREADS);
		run_all(pingpong, 2);
		run_all(pipes, 2);
	} else if (strcmp(name, "disk") == 0)
		run_all(disk, 1);
	else if (strcmp(name, "brief") == 0)
		run_all(brief, 1);
	else if (strcmp(name, "burns") == 0)
		burns();
	else if (strcmp(name, "halt") == 0)
		halt();
	else if (strcmp(name, "halt_child") == 0)
		halt_child();
	else if (strcmp(name, "nameless") == 0)
		nameless();
	else if (strcmp(name, "tables") == 0)
		tables();
	else if (strcmp(name, "joins") == 0)
		joins(NULL);
	else if (strcmp(name, "futex") == 0)
		run_all(convoy_futex, THREADS);
	else if (strcmp(name, "c11") == 0 &&
		mtx_init(&c11_lock, mtx_plain) == thrd_success)
		run_all(convoy_c11, THREADS);
	else if (strcmp(name, "crowd") == 0) {
		on_one_cpu();
		run_all(crowd, THREADS);
	} else if (strcmp(name, "starts") == 0) {
		on_one_cpu();
		starts();
	} else
		return 2;
	fprintf(stderr, "%s %ld\n", name, total);
	return 0;
}
