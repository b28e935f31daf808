/* SPDX-License-Identifier: MIT */
/*
 * counters.c - ns that four counters of Linux cost in a tracepoint of
 * weft/ctf.h, beside reading them without a tracepoint, on one pinned core.
 *
 * The two are measured in turns of 0.2 ms, and the medians of their differences
 * are printed, so that disturbances of both cancel.
 */
#include <sched.h>
#include <stdbool.h>

#include "bench.h"
#include "perf/counters_read.h"
#include "weft/nanos6.h"

enum { READS = 256, TURNS = 2000 };

static struct weft_ctf_tracepoint points[] = { WEFT_NANOS6_TRACEPOINTS{ 0 } };

/* Measures reads without a tracepoint: by read() of the C library, or by the
 * inline system call of the recorder. */
static double
bare_reads(int fd, bool is_inline)
{
	struct weft_perf_values value;
	double from = bench_wall();

	for (int i = 0; i < READS; i++)
		if (is_inline ? !weft_perf_read_fd(fd, &value)
			      : read(fd, &value, sizeof(value)) <= 0)
			break;
	return (bench_wall() - from) * 1e9 / READS;
}

static double
counted_points(void)
{
	double from = bench_wall();

	for (int i = 0; i < READS / 2; i++) {
		weft_ctf_enter(&points[WEFT_NANOS6_TASKWAIT], 1);
		weft_ctf_exit(&points[WEFT_NANOS6_TASKWAIT], 1);
	}
	return (bench_wall() - from) * 1e9 / READS;
}

static int
less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *v)
{
	qsort(v, TURNS, sizeof(*v), less);
	return v[TURNS / 2];
}

static void
pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int
open_counters(void)
{
	static const char *const names[] = { "task-clock", "page-faults",
		"context-switches", "cpu-migrations" };
	static struct weft_perf_group group;
	struct weft_perf_event e[4];

	setenv("WEFT_COUNTERS", "software", 1);
	for (int i = 0; i < 4; i++)
		weft_perf_find(names[i], &e[i]);
	if (!weft_perf_open(&group, e, 4))
		bench_die(BENCH_COULD_NOT, "perf refuses counters");
	return group.fd[0];
}

int
main(void)
{
	static double bare[TURNS], more[TURNS], beyond[TURNS];
	int fd;

	pin();
	fd = open_counters();
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = points, .ncpus = 1 });
	weft_ctf_cpu(0);
	for (int r = 0; r < TURNS; r++) {
		double point;

		bare[r] = bare_reads(fd, false);
		point = counted_points();
		more[r] = point - bare[r];
		beyond[r] = point - bare_reads(fd, true);
	}
	weft_ctf_leave();
	printf("4 counters: read() %.1f ns, in a tc point %.1f ns more; "
	       "beyond the system call alone %.1f ns\n",
		median(bare), median(more), median(beyond));
	return 0;
}
