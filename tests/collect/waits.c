/* SPDX-License-Identifier: MIT */
/*
 * waits.c - programs with known waits, for the test `run`. The first argument
 * chooses one. Each prints what happened; the output must be the same with and
 * without the library that records waits.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 50, MS = 1000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static pthread_t other;

static void
doze(long ns)
{
	nanosleep(&(struct timespec){ ns / 1000000000, ns % 1000000000 }, NULL);
}

static long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct timespec
soon(clockid_t clock, long ns)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ns;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void
start(void *(*run)(void *), void *arg)
{
	if (pthread_create(&other, NULL, run, arg) != 0)
		abort();
}

/* Two threads hold one mutex for 1 ms each time. Prints how often a thread had
 * to wait and how long, on standard error: both differ from run to run. */
static long waited;
static int nwaits;

static void *
hold(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < TIMES; i++) {
		long before = now(), took;

		pthread_mutex_lock(&mutex);
		took = now() - before;
		if (took > MS / 10) {
			waited += took;
			nwaits++;
		}
		doze(MS);
		pthread_mutex_unlock(&mutex);
		doze(MS / 10);
	}
	return NULL;
}

static void
contended(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	start(hold, NULL);
	hold(NULL);
	pthread_join(other, NULL);
	fprintf(stderr, "waits %d ns %ld\n", nwaits, waited);
}

/* Two threads take turns: whoever has the turn waits until the other one gives
 * it back. */
static int turn;

static void *
play(void *arg)
{
	int me = arg != NULL;

	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != me)
			pthread_cond_wait(&cond, &mutex);
		turn = !me;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void
pingpong(void)
{
	start(play, &turn);
	play(NULL);
	pthread_join(other, NULL);
	printf("turn %d\n", turn);
}

/* Makes one wait of each kind, in this thread, for the other one. */
static void *
let_wait(void *arg)
{
	(void)arg;
	pthread_rwlock_wrlock(&rwlock);
	pthread_barrier_wait(&barrier);
	doze(20 * MS);
	pthread_rwlock_unlock(&rwlock);
	doze(20 * MS);
	sem_post(&sem);
	doze(20 * MS);
	return NULL;
}

static void
kinds(void)
{
	struct timespec t;
	int r;

	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	start(let_wait, NULL);
	doze(10 * MS);
	pthread_barrier_wait(&barrier);
	printf("read %d\n", pthread_rwlock_rdlock(&rwlock));
	errno = 77;
	printf("sem %d", sem_wait(&sem));
	printf(" errno %d\n", errno);
	printf("join %d\n", pthread_join(other, NULL));
	t = soon(CLOCK_REALTIME, MS);
	r = sem_timedwait(&sem, &t);
	printf("timed sem %d errno %d\n", r, errno);
	r = sem_timedwait(&sem, &(struct timespec){ 0, -1 });
	printf("wrong time %d errno %d\n", r, errno);
	t = soon(CLOCK_MONOTONIC, MS);
	pthread_mutex_lock(&mutex);
	printf("clocked cond %d\n",
		pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &t));
}

/* What locks return in unusual cases. */
static void *
die_with(void *lock)
{
	pthread_mutex_lock(lock);
	return NULL;
}

static void *
steal(void *lock)
{
	struct timespec t = soon(CLOCK_REALTIME, MS);

	printf("stranger unlocks: %d\n", pthread_mutex_unlock(lock));
	printf("timed: %d\n", pthread_mutex_timedlock(lock, &t));
	t.tv_nsec = -1;
	printf("wrong time: %d\n", pthread_mutex_timedlock(lock, &t));
	printf("wrong clock: %d\n", pthread_mutex_clocklock(lock, 77, &t));
	return NULL;
}

static void
codes(void)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &a);
	printf("check: %d", pthread_mutex_lock(&m));
	printf(" again %d\n", pthread_mutex_lock(&m));
	start(steal, &m);
	pthread_join(other, NULL);
	printf("unlock: %d", pthread_mutex_unlock(&m));
	printf(" again %d\n", pthread_mutex_unlock(&m));
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	printf("recursive: %d", pthread_mutex_lock(&m));
	printf(" again %d\n", pthread_mutex_lock(&m));
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	start(die_with, &m);
	pthread_join(other, NULL);
	printf("owner died: %d\n", pthread_mutex_lock(&m));
	printf("not mended: %d", pthread_mutex_unlock(&m));
	printf(" %d\n", pthread_mutex_lock(&m));
	printf("self join: %d\n", pthread_join(pthread_self(), NULL));
	printf("write: %d", pthread_rwlock_wrlock(&rwlock));
	printf(" again %d\n", pthread_rwlock_wrlock(&rwlock));
}

/* A thread is cancelled in each wait that can be. */
static void
tell(void *what)
{
	printf("cancelled in %s\n", (const char *)what);
}

static void
unlock(void *lock)
{
	pthread_mutex_unlock(lock);
}

static void *
wait_for_cond(void *arg)
{
	(void)arg;
	pthread_cleanup_push(tell, "cond");
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *
wait_for_sem(void *arg)
{
	(void)arg;
	pthread_cleanup_push(tell, "sem");
	sem_wait(&sem);
	pthread_cleanup_pop(0);
	return NULL;
}

static void
cancel(void)
{
	void *(*const waits[])(void *) = { wait_for_cond, wait_for_sem };
	void *result;

	sem_init(&sem, 0, 0);
	for (int i = 0; i < 2; i++) {
		start(waits[i], NULL);
		doze(20 * MS);
		pthread_cancel(other);
		pthread_join(other, &result);
		printf("%d\n", result == PTHREAD_CANCELED);
	}
	printf("lock %d\n", pthread_mutex_lock(&mutex));
}

/* A handler waits inside a wait, then one leaves a wait by longjmp(). */
static sigjmp_buf back;
static volatile int njumps;

static void
wait_in_handler(int signal)
{
	struct timespec t = soon(CLOCK_REALTIME, MS);

	(void)signal;
	/* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
	if (sem_timedwait(&sem, &t) != 0 && njumps++ > 0)
		siglongjmp(back, 1);
	ualarm(20000, 0);
}

static void
jump(void)
{
	sem_init(&sem, 0, 0);
	signal(SIGALRM, wait_in_handler);
	if (sigsetjmp(back, 1) == 0) {
		ualarm(20000, 0);
		printf("sem %d\n", sem_wait(&sem));
	}
	printf("jumps %d\n", njumps);
	contended();
}

/* A handler leaves each wait by longjmp(), also the first one, in which the
 * recorder makes the stream. */
static void
leave(int signal)
{
	(void)signal;
	/* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
	siglongjmp(back, 1);
}

static void
leaves(void)
{
	static int pipes[2];
	static volatile int round;
	char c;

	sem_init(&sem, 0, 0);
	signal(SIGALRM, leave);
	if (pipe(pipes) != 0)
		return;
	for (round = 0; round < 40; round++) {
		if (sigsetjmp(back, 1) != 0)
			continue;
		ualarm(3000, 0);
		if (round % 4 == 0)
			sem_wait(&sem);
		else if (round % 4 == 1)
			printf("read %d\n", (int)read(pipes[0], &c, 1));
		else if (round % 4 == 2)
			poll(NULL, 0, -1);
		else
			pause();
	}
	usleep(1000);
	printf("left %d\n", round);
}

/* A child of fork waits, while the parent waits for it. */
static void
forks(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		pthread_barrier_init(&barrier, NULL, 2);
		start(hold, NULL);
		hold(NULL);
		printf("child joins %d\n", pthread_join(other, NULL));
		exit(3);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	contended();
}

/* A library that was not there at the start waits. */
static void
loads(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*pass)(pthread_mutex_t *);
	pthread_mutex_t *m;

	if (library == NULL) {
		printf("%s\n", dlerror());
		return;
	}
	*(void **)&pass = dlsym(library, "pass");
	m = dlsym(library, "own_lock");
	pthread_mutex_lock(m);
	start(die_with, m);
	/* until the other thread waits */
	while (__atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) != 2)
		doze(MS);
	printf("pass %d\n", pass(m));
	pthread_join(other, NULL);
	dlclose(library);
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(void);
	} list[] = { { "contended", contended }, { "pingpong", pingpong },
		{ "kinds", kinds }, { "codes", codes }, { "cancel", cancel },
		{ "jump", jump }, { "leaves", leaves }, { "forks", forks } };

	if (argc == 3)
		loads(argv[2]);
	for (size_t i = 0; i < sizeof list / sizeof *list && argc > 1; i++)
		if (strcmp(argv[1], list[i].name) == 0)
			list[i].run();
	return 5;
}
