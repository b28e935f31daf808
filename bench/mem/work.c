/* SPDX-License-Identifier: MIT */
/*
 * work.c - does a fixed amount of work: walks a list that does not fit in the
 * cache, and computes sums.
 *
 *	work ROUNDS          prints ns of CPU time and of the clock
 *	work ROUNDS PERIOD   ... while the kernel takes a sample every so many
 *	                     ns, of the address of the code and no more, which
 *	                     nobody reads: what any sampler pays here
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct node {
	struct node *next;
	long value[7];
};

enum { NODES = 1 << 15, STEPS = 400000, PAGE = 4096, RING = 4 * PAGE };

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static struct node *volatile list; /* so that no round is optimised out */

static __attribute__((noinline)) long
round_of(int depth)
{
	const struct node *p = list;
	long sum = 0;

	if (depth > 0) /* the depth of call chains in real programs */
		return round_of(depth - 1) + depth;
	for (int i = 0; i < STEPS; i++) {
		sum += p->value[i & 3] * 3;
		p = p->next;
	}
	return sum;
}

/* Nobody reads the ring, so the kernel overwrites it. */
static bool
sample_every(uint64_t ns)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = ns,
		.sample_type = PERF_SAMPLE_IP,
		.write_backward = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(
		SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd >= 0 &&
		mmap(NULL, PAGE + RING, PROT_READ, MAP_SHARED, fd, 0) !=
		MAP_FAILED;
}

int
main(int argc, char *argv[])
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	double cpu, wall;
	long sum = 0;

	list = calloc(NODES, sizeof(*list));
	if (list == NULL)
		return 1;
	for (unsigned i = 0, at = 0; i < NODES; i++) {
		unsigned next = (at * 2045 + 99991) % NODES;

		list[at].next = &list[next];
		at = next;
	}
	if (argc > 2 && !sample_every(strtoull(argv[2], NULL, 10)))
		return 2;
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	wall = now(CLOCK_MONOTONIC);
	for (int i = 0; i < rounds; i++)
		sum += round_of(8);
	printf("%.0f %.0f\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu,
		now(CLOCK_MONOTONIC) - wall);
	return sum == 1;
}
