/* SPDX-License-Identifier: MIT */
/*
 * clocks.c - the solver of clocks (src/trace/align) on a simulated cluster:
 *
 *	bench-clocks [NODES [SECONDS]]
 *
 * Prints the time that it takes, beside one pass over the messages that only
 * compares their stamps, and its errors against the truth.
 */
#include "bench.h"
#include "clocks/cluster.h"

/* Keeps the messages of the simulator, whose making takes longer than all
 * else. */
static struct {
	struct align_message *at;
	size_t n, cap;
} kept;

static void
keep(const struct align_message *m)
{
	if (kept.n == kept.cap) {
		kept.cap = kept.cap > 0 ? 2 * kept.cap : 1 << 20;
		kept.at = mem_resize(kept.at, kept.cap, sizeof *kept.at);
	}
	kept.at[kept.n++] = *m;
}

static int64_t
pass(void)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < kept.n; i++) {
		int64_t apart = kept.at[i].received - kept.at[i].sent;

		least = apart < least ? apart : least;
	}
	return least;
}

static void
scenario(const char *name, struct cluster c)
{
	struct arena a = { 0 };
	struct align align;
	struct cluster_error e;
	double t0, floor, add, solve;

	c.random = 88172645463325252u;
	c.deliver = keep;
	kept.n = 0;
	cluster_init(&c, &a);
	align_init(&align, &a, c.nodes, 0);
	cluster_bursts(&c, &align, false);
	cluster_messages(&c);
	t0 = bench_cpu();
	align_begin(&align, cluster_clock(&c, 0, 0),
		cluster_clock(&c, 0, c.seconds * 1e9));
	for (size_t i = 0; i < kept.n; i++)
		align_message(&align, &kept.at[i]);
	add = bench_cpu() - t0;
	align_solve(&align);
	solve = bench_cpu() - t0 - add;
	t0 = bench_cpu();
	if (pass() == 1)
		puts("");
	floor = bench_cpu() - t0;
	e = cluster_compare(&c, &align, &a);
	printf("%-24s %8.2f M  %6.3f s (bounds %.3f, paths %.3f; one pass "
	       "%.3f)  median %.2f us  p99 %.2f  most %.2f  bar %.1f  covers "
	       "%.3f %%\n",
		name, (double)kept.n / 1e6, add + solve, add, solve, floor,
		e.median, e.p99, e.most, e.bar, e.covered * 100);
	align_fini(&align);
	arena_fini(&a);
}

int
main(int argc, char *argv[])
{
	struct cluster c = { .nodes = argc > 1 ? atoi(argv[1]) : 1024,
		.seconds = argc > 2 ? atoi(argv[2]) : 600,
		.levels = 2 };
	struct rusage u;

	scenario("probes at start and end", c);
	c.every = 10;
	c.trips = CLUSTER_TRIPS;
	scenario("probes each 10 s", c);
	c.slews = true;
	scenario("... 5 % slewed", c);
	getrusage(RUSAGE_SELF, &u);
	printf("peak memory %ld MiB, of which %zu MiB are the messages\n",
		u.ru_maxrss >> 10, kept.cap * sizeof *kept.at >> 20);
	return 0;
}
