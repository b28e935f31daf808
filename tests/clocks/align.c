/* SPDX-License-Identifier: MIT */
/*
 * align.c - tests the clocks of simulated clusters against the truth: how far
 * the corrected clocks are off, and whether their bars say so.
 */
#include "trace/align/align.h"

#include <stdio.h>
#include <stdlib.h>

#include "cluster.h"
#include "test.h"

static struct align align;

static void
deliver(const struct align_message *m)
{
	align_message(&align, m);
}

static struct cluster_error
solve(struct cluster c)
{
	struct arena a = { 0 };
	struct cluster_error e;

	c.random = 88172645463325252u;
	c.deliver = deliver;
	cluster_init(&c, &a);
	align_init(&align, &a, c.nodes, 0);
	cluster_bursts(&c, &align, false);
	align_begin(&align, cluster_clock(&c, 0, 0),
		cluster_clock(&c, 0, c.seconds * 1e9));
	for (int pass = 0;; pass++) {
		uint64_t random = c.random;

		cluster_messages(&c);
		align_solve(&align);
		if (!c.no_probes || pass == 2)
			break;
		align_again(&align);
		c.random = random;
	}
	e = cluster_compare(&c, &align, &a);
	printf("# median %.2f us, p99 %.2f, most %.2f; bar %.1f us, covers "
	       "%.3f %%, unknown %.3f %%; %llu of %llu messages dropped, "
	       "rates doubled %d times, %d dropped\n",
		e.median, e.p99, e.most, e.bar, e.covered * 100,
		e.unknown * 100, (unsigned long long)align.ndropped,
		(unsigned long long)align.nmessages, align.bounds.ndoubled,
		align.bounds.ndropped);
	align_fini(&align);
	arena_fini(&a);
	return e;
}

#define USUAL .nodes = 64, .seconds = 600, .every = 10, .levels = 2

TEST(probes_each_10_s_and_messages)
{
	struct cluster_error e = solve((struct cluster){ USUAL });

	CHECK(e.median <= 0.3);
	CHECK(e.p99 <= 1);
	CHECK(e.covered >= 0.999);
	CHECK(e.unknown == 0);
}

TEST(a_clock_that_is_slewed)
{
	struct cluster_error e =
		solve((struct cluster){ USUAL, .slews = true });

	CHECK(e.median <= 0.3);
	CHECK(e.p99 <= 1);
	CHECK(e.covered >= 0.999);
}

TEST(probes_only_at_the_start_and_the_end)
{
	struct cluster_error e = solve(
		(struct cluster){ .nodes = 64, .seconds = 600, .levels = 2 });

	CHECK(e.median <= 1);
	CHECK(e.p99 <= 5);
	CHECK(e.covered >= 0.999);
}

TEST(messages_that_are_matched_wrongly)
{
	struct cluster_error e =
		solve((struct cluster){ USUAL, .wrong = true });

	CHECK(e.median <= 0.3);
	CHECK(e.covered >= 0.999);
}

TEST(a_node_that_is_silent_for_minutes)
{
	CHECK(solve((struct cluster){ USUAL, .silent = true }).covered >=
		0.999);
}

TEST(a_machine_that_is_suspended)
{
	struct cluster_error e =
		solve((struct cluster){ USUAL, .suspends = true });

	CHECK(e.median <= 0.3);
	CHECK(e.covered >= 0.99); /* nobody knows node 7 meanwhile */
}

TEST(messages_in_one_direction)
{
	struct cluster_error e =
		solve((struct cluster){ USUAL, .one_way = true });

	CHECK(e.median <= 0.3);
	CHECK(e.covered >= 0.999);
}

TEST(a_slow_network)
{
	struct cluster_error e =
		solve((struct cluster){ USUAL, .latency = 10000 });

	CHECK(e.covered >= 0.999);
	CHECK(e.bar >= 1000); /* half of the round trip */
}

TEST(messages_without_any_probe)
{
	struct cluster_error e = solve((struct cluster){
		.nodes = 16, .seconds = 60, .no_probes = true });

	CHECK(e.covered >= 0.999);
	CHECK(e.unknown == 0);
}

TEST_MAIN(RUN(probes_each_10_s_and_messages), RUN(a_clock_that_is_slewed),
	RUN(probes_only_at_the_start_and_the_end),
	RUN(messages_that_are_matched_wrongly),
	RUN(a_node_that_is_silent_for_minutes),
	RUN(a_machine_that_is_suspended), RUN(messages_in_one_direction),
	RUN(a_slow_network), RUN(messages_without_any_probe))
