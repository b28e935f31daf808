/* SPDX-License-Identifier: MIT */
/*
 * omp.c - OpenMP with known states, for the test `openmp`. Each scene prints a
 * result to standard output; some print what they have measured themselves to
 * standard error, as "name ns".
 */
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, THREADS = 2, ROUNDS = 6, TASKS = 40 };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Sleeps: the machine may have fewer free CPUs than threads. */
static void
rest(double ms)
{
	double until = now() + ms * MS;
	struct timespec t = { 0, (long)(ms * MS) };

	nanosleep(&t, NULL);
	while (now() < until)
		;
}

static void
say(const char *name, double ns)
{
	fprintf(stderr, "%s %.0f\n", name, ns);
}

/* Measures the waits at the barrier of a loop in which thread 1 has three times
 * the work. */
static void
barrier(void)
{
	double waits = 0;

	for (int r = 0; r < ROUNDS; r++)
#pragma omp parallel num_threads(THREADS) reduction(+ : waits)
	{
		double since;

#pragma omp for schedule(static) nowait
		for (int i = 0; i < 2; i++)
			rest(i == 0 ? 4 : 12);
		since = now();
#pragma omp barrier
		waits += now() - since;
	}
	say("Barrier: Plain", waits);
}

static void
join(void)
{
	double waits = 0;

	for (int r = 0; r < ROUNDS; r++) {
		double done[THREADS], end;

#pragma omp parallel num_threads(THREADS)
		{
			rest(omp_get_thread_num() == 0 ? 12 : 4);
			done[omp_get_thread_num()] = now();
		}
		end = now();
		for (int i = 0; i < THREADS; i++)
			waits += end - done[i];
	}
	say("Barrier: Join", waits);
}

static void
idle(void)
{
	double since = 0, serial = 0;

	for (int r = 0; r < 4; r++) {
#pragma omp parallel num_threads(THREADS)
		{
			if (omp_get_thread_num() == 1 && since != 0)
				serial += now() - since;
			rest(1);
		}
		since = now();
		rest(r < 3 ? 60 : 0);
	}
	say("Idle: no parallel region", serial);
}

static void
critical(void)
{
	double waits = 0, inside = 0;

#pragma omp parallel num_threads(THREADS) reduction(+ : waits, inside)
	for (int i = 0; i < 10; i++) {
		double since = now(), in;

#pragma omp critical
		{
			in = now();
			waits += in - since;
			rest(2);
			inside += now() - in;
		}
	}
	say("Critical: Acquiring", waits);
	say("Critical: Section", inside);
}

static void
locks(void)
{
	omp_lock_t lock;
	double waits = 0;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS) reduction(+ : waits)
	for (int i = 0; i < 10; i++) {
		double since = now();

		omp_set_lock(&lock);
		waits += now() - since;
		rest(2);
		omp_unset_lock(&lock);
		rest(1);
	}
	omp_destroy_lock(&lock);
	say("OpenMP lock", waits);
}

static void
ordered(void)
{
	double waits = 0;

#pragma omp parallel for ordered schedule(static, 1) num_threads(THREADS) \
	reduction(+ : waits)
	for (int i = 0; i < 10; i++) {
		double since = now();

#pragma omp ordered
		{
			waits += now() - since;
			rest(2);
		}
	}
	say("OpenMP ordered", waits);
}

static void
tasks(void)
{
	double runs = 0;
	long sum = 0;
	char name[100] = "data of the task";

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(i, name) shared(runs, sum)
		{
			double since = now();

			rest(1);
			since = now() - since;
#pragma omp atomic
			runs += since;
#pragma omp atomic
			sum += i + (long)strlen(name);
		}
#pragma omp taskwait
	}
	printf("%ld\n", sum);
	say("tasks", TASKS);
	say("Task: Running task", runs);
}

static long
fibonacci(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) if (n > 10)
	a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 10)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

/* Every construct once, with its result. */
static void
share(void)
{
	long sum = 0, order = 0, parts = 0;
	int first = 0, copied, is_ordered = 1;

#pragma omp parallel num_threads(3) reduction(+ : sum) private(copied)
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp for schedule(runtime)
		for (unsigned long long i = 0; i < 100; i++)
			sum += (long)i;
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < 20; i++)
#pragma omp ordered
		{
			is_ordered = is_ordered && order == i;
			order++;
		}
#pragma omp sections
		{
#pragma omp section
#pragma omp atomic
			parts++;
#pragma omp section
#pragma omp atomic
			parts++;
		}
#pragma omp single copyprivate(copied)
		copied = 5;
#pragma omp master
		first = omp_get_thread_num() == 0 ? copied : -1;
#pragma omp critical(named)
		sum++;
	}
	printf("%ld %ld %d %ld %d\n", sum, order, is_ordered, parts, first);
}

/* Each construct of work-sharing a known number of times; the test knows how
 * often each of two threads comes to it. */
static void
counts(void)
{
	int n = 0;

#pragma omp parallel num_threads(THREADS)
	{
		for (int i = 0; i < 3; i++)
#pragma omp for schedule(dynamic, 2)
			for (int j = 0; j < 10; j++)
#pragma omp atomic
				n++;
		for (int i = 0; i < 2; i++)
#pragma omp for schedule(guided)
			for (int j = 0; j < 10; j++)
#pragma omp atomic
				n++;
#pragma omp sections
		{
#pragma omp section
			rest(1);
#pragma omp section
			rest(1);
#pragma omp section
			rest(1);
		}
		for (int i = 0; i < 5; i++)
#pragma omp single
			n += 100;
		for (int i = 0; i < 4; i++)
#pragma omp critical
			n += 1000;
#pragma omp barrier
		rest(1);
#pragma omp barrier
#pragma omp master
		n += 10000;
	}
	printf("%d\n", n);
}

/* Three barriers of one region, and its end: thread 1 comes late to each. */
static void
places(void)
{
#pragma omp parallel num_threads(THREADS)
	{
		int late = omp_get_thread_num() == 1;

#pragma omp for schedule(static)
		for (int i = 0; i < 2; i++)
			rest(late ? 20 : 0);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 2; i++)
			rest(late ? 0 : 0.1);
		rest(late ? 16 : 0);
#pragma omp barrier
		rest(late ? 12 : 0);
	}
}

/* Each iteration waits for the one before it in both directions. */
static void
cross(void)
{
	static long at[9][9];

	for (int i = 0; i < 9; i++)
		at[i][0] = at[0][i] = 1;
#pragma omp parallel for ordered(2) num_threads(3) schedule(static, 1)
	for (int i = 1; i < 9; i++)
		for (int j = 1; j < 9; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			at[i][j] = at[i - 1][j] + at[i][j - 1];
#pragma omp ordered depend(source)
		}
	printf("%ld\n", at[8][8]);
}

/* Regions inside each other, of one thread and of two in turn. */
static void
go_down(int levels, long *sum)
{
#pragma omp atomic
	*sum += 1;
	if (levels == 0)
		return;
#pragma omp parallel num_threads(levels % 2 + 1)
	go_down(levels - 1, sum);
}

static void
nest(void)
{
	long loop = 0, parts = 0, inner = 0, levels = 0;

#pragma omp parallel for num_threads(3) schedule(nonmonotonic : dynamic)
	for (int i = 0; i < 50; i++)
#pragma omp atomic
		loop += i;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
#pragma omp atomic
		parts++;
#pragma omp section
#pragma omp atomic
		parts++;
	}
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) reduction(+ : inner)
#pragma omp parallel num_threads(2) reduction(+ : inner)
#pragma omp parallel num_threads(1) reduction(+ : inner)
	inner += 1;
	omp_set_max_active_levels(9);
	go_down(8, &levels);
	omp_set_max_active_levels(1);
	go_down(30, &levels); /* deeper than the collector keeps apart */
	omp_set_max_active_levels(3);
	printf("%ld %ld %ld %ld\n", loop, parts, inner, levels > 38L);
}

static void
make_tasks(void)
{
	_Alignas(128) char wide[256] = "wide";
	long loop = 0, fib = 0, sum = 0;

#pragma omp parallel num_threads(3)
#pragma omp single
	{
		fib = fibonacci(15);
#pragma omp taskloop grainsize(7) firstprivate(wide)
		for (int i = 0; i < 50; i++)
#pragma omp atomic
			loop += i + (wide[0] == 'w');
#pragma omp taskloop reduction(+ : sum)
		for (unsigned long long i = 0; i < 50; i++)
			sum += (long)i;
#pragma omp taskgroup
		{
#pragma omp task depend(out : loop)
			rest(1);
#pragma omp task depend(in : loop)
#pragma omp atomic
			loop++;
		}
#pragma omp taskyield
	}
	printf("%ld %ld %ld\n", loop, fib, sum);
}

/* Threads leave the loop inside a chunk if OMP_CANCELLATION is true. */
static void
leave_loop(void)
{
	int n = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < 100; i++) {
		if (i == 50) {
#pragma omp atomic write
			n = 1;
#pragma omp cancel for
		}
#pragma omp cancellation point for
	}
	printf("%d left\n", n);
}

static void
all(void)
{
	errno = 77;
	share();
	cross();
	nest();
	leave_loop();
	make_tasks();
	printf("errno %d\n", errno);
}

#ifndef __clang__
/* The functions that code of gcc before 4.9 calls. */
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned n);
void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data,
	unsigned n, long start, long end, long step, long chunk);
_Bool GOMP_loop_dynamic_next(long *i, long *e);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_end(void);

static void
add_number(void *sum)
{
#pragma omp atomic
	*(long *)sum += omp_get_thread_num() + 1;
}

static void
add_chunks(void *sum)
{
	long i, e;

	while (GOMP_loop_dynamic_next(&i, &e))
#pragma omp atomic
		*(long *)sum += e - i;
	GOMP_loop_end_nowait();
}

static void
old(void)
{
	long sum = 0;

	GOMP_parallel_start(add_number, &sum, 3);
	add_number(&sum);
	GOMP_parallel_end();
	GOMP_parallel_loop_dynamic_start(add_chunks, &sum, 2, 0, 100, 1, 7);
	add_chunks(&sum);
	GOMP_parallel_end();
	printf("%ld\n", sum);
}
#endif

static void
work(void)
{
#pragma omp parallel num_threads(THREADS)
	rest(1);
}

/* A child of fork outside of regions has one region of its own. */
static void
forks(void)
{
	int status;

	work();
	if (fork() == 0) {
#ifndef __clang__
		/* libgomp's threads are not in the child: only this one */
		omp_set_num_threads(1);
#pragma omp parallel num_threads(1)
		rest(1);
#endif
		_exit(4);
	}
	wait(&status);
	work();
#pragma omp parallel num_threads(THREADS)
#pragma omp master
	{
		if (fork() == 0)
			_exit(5);
		wait(&status);
	}
	printf("%d\n", WEXITSTATUS(status));
}

/* The loop of a team's threads, and tasks of which some never begin. */
static void
teams(void)
{
	long sum = 0;

#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute parallel for
	for (int i = 0; i < 100; i++)
#pragma omp atomic
		sum += i;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
			if (i == 3) {
#pragma omp cancel taskgroup
			}
			rest(1);
		}
	}
	printf("%ld\n", sum);
}

static void
leaves(int how)
{
	work();
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_thread_num() == 1)
			rest(1000);
		if (how == 'e')
			exit(6);
		if (how == 'x')
			execlp("echo", "echo", "executed", (char *)NULL);
		kill(getpid(), SIGKILL);
	}
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} scenes[] = {
		{ "barrier", barrier },
		{ "join", join },
		{ "idle", idle },
		{ "critical", critical },
		{ "locks", locks },
		{ "ordered", ordered },
		{ "tasks", tasks },
		{ "counts", counts },
		{ "places", places },
		{ "teams", teams },
		{ "all", all },
		{ "forks", forks },
#ifndef __clang__
		{ "old", old },
#endif
	};

	if (argc != 2)
		return 2;
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		if (strcmp(argv[1], scenes[i].name) == 0) {
			scenes[i].call();
			return 3;
		}
	leaves(argv[1][0]);
	return 2;
}
