/* SPDX-License-Identifier: MIT */
/*
 * first [N] - measures in N processes (51) how much the first event of a
 * process, and of a thread, costs the emitting thread: in us of wall-clock time
 * and of CPU time, compared with creating the same directories and files by
 * hand.
 *
 * The trace is written to OVNI_TRACEDIR.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "bench.h"
#include "weft/trace.h"

enum { PROCESS, POOL, EMPTY, SECOND, FLOOR, ROWS };
enum { MOST = 1000, BURST = 8, STREAM = 8, META = 700, PAUSE_US = 20000 };

static const char *const name[ROWS] = {
	[PROCESS] = "first event of a process",
	[POOL] = "first event of another thread",
	[EMPTY] = "the slowest of 8 threads that begin at once",
	[SECOND] = "second event of a thread",
	[FLOOR] = "a directory and two files, one of them renamed",
};

struct cost {
	double wall, cpu; /* us */
};

static double
cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + 1e-3 * (double)t.tv_nsec;
}

static struct cost
begin(void)
{
	return (struct cost){ bench_wall() * 1e6, cpu_us() };
}

static struct cost
since(struct cost from)
{
	double cpu = cpu_us();

	return (struct cost){ bench_wall() * 1e6 - from.wall, cpu - from.cpu };
}

static struct cost
event(void)
{
	struct cost from = begin();

	weft_ev("OB.");
	return since(from);
}

static void
make_file(const char *path, size_t n)
{
	static const char bytes[META];
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		bench_die(BENCH_COULD_NOT, "cannot make %s", path);
	bench_write(fd, bytes, n, path);
	close(fd);
}

static struct cost
make_by_hand(void)
{
	char path[4][512];
	const char *trace = getenv("OVNI_TRACEDIR");
	struct cost from, cost;

	/* files are made beside the trace, on the same disk */
	for (int i = 0; i < 4; i++)
		snprintf(path[i], sizeof(path[i]), "%s.%d%s",
			trace ? trace : "ovni", (int)getpid(),
			(const char *[]){ "", "/stream.obs", "/stream.json.tmp",
				"/stream.json" }[i]);
	from = begin();
	if (mkdir(path[0], 0755) != 0)
		bench_die(BENCH_COULD_NOT, "cannot make %s", path[0]);
	make_file(path[1], STREAM);
	make_file(path[2], META);
	if (rename(path[2], path[3]) != 0)
		bench_die(BENCH_COULD_NOT, "cannot make %s", path[3]);
	cost = since(from);
	unlink(path[1]);
	unlink(path[3]);
	rmdir(path[0]);
	return cost;
}

static pthread_barrier_t all;

static void *
thread(void *to)
{
	struct cost *cost = to;

	pthread_barrier_wait(&all);
	cost[0] = event();
	cost[1] = event();
	return NULL;
}

static void
in_threads(int n, struct cost (*to)[2])
{
	pthread_t th[BURST];

	pthread_barrier_init(&all, NULL, (unsigned)n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&th[i], NULL, thread, to[i]) != 0)
			bench_die(BENCH_COULD_NOT, "no more threads");
	for (int i = 0; i < n; i++)
		pthread_join(th[i], NULL);
	pthread_barrier_destroy(&all);
}

/* The process of one round: measures, and writes its rows to standard
 * output. */
static void
measure(void)
{
	struct cost row[ROWS], burst[BURST][2], one[1][2];

	row[PROCESS] = event();
	usleep(PAUSE_US); /* the writer fills the pool */
	in_threads(1, one);
	row[POOL] = one[0][0];
	row[SECOND] = one[0][1];
	usleep(PAUSE_US);
	in_threads(BURST, burst);
	row[EMPTY] = burst[0][0];
	for (int i = 1; i < BURST; i++)
		if (burst[i][0].cpu > row[EMPTY].cpu)
			row[EMPTY] = burst[i][0];
	row[FLOOR] = make_by_hand();
	bench_write(STDOUT_FILENO, (const char *)row, sizeof(row), "a pipe");
}

/* Runs a round in a process of its own, and reads the rows. */
static void
run(const char *self, struct cost *row)
{
	int fd[2], status = 0;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		bench_die(BENCH_COULD_NOT, "no process: %s", strerror(errno));
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		execl(self, self, "one", (char *)NULL);
		_exit(BENCH_COULD_NOT);
	}
	close(fd[1]);
	if (read(fd[0], row, ROWS * sizeof(*row)) !=
			(ssize_t)(ROWS * sizeof(*row)) ||
		waitpid(pid, &status, 0) != pid || status != 0)
		bench_die(BENCH_COULD_NOT, "%s one: no result", self);
	close(fd[0]);
}

static int
by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int
main(int argc, char **argv)
{
	static struct cost cost[MOST][ROWS];
	static double wall[MOST], cpu[MOST];
	int n = 51;

	if (argc == 2 && strcmp(argv[1], "one") == 0) {
		measure();
		return 0;
	}
	if (argc > 1)
		n = (int)bench_number("N", argv[1], 1, MOST);
	for (int i = 0; i < n; i++)
		run(argv[0], cost[i]);
	printf("%-46s %9s %9s %9s\n", "us, median (least)", "wall", "", "CPU");
	for (int r = 0; r < ROWS; r++) {
		for (int i = 0; i < n; i++) {
			wall[i] = cost[i][r].wall;
			cpu[i] = cost[i][r].cpu;
		}
		qsort(wall, (size_t)n, sizeof(*wall), by_size);
		qsort(cpu, (size_t)n, sizeof(*cpu), by_size);
		printf("%-46s %9.1f (%7.1f) %9.1f\n", name[r], wall[n / 2],
			wall[0], cpu[n / 2]);
	}
	return 0;
}
