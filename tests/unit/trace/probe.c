/* SPDX-License-Identifier: MIT */
#include "trace/probe.h"

#include <math.h>

#include "test.h"

#define BASE INT64_C(1234567890123456789)

static void
check_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)))) {
		test_fail(__FILE__, __LINE__, "near");
		printf("#   got %f, want %f\n", got, want);
	}
}

TEST(the_shortest_round_trip_counts)
{
	const struct probe p[] = {
		{ 1000, 900, 70 },
		{ 2000, 1903, 20 },
		{ 3000, 2800, 21 },
	};
	struct probe_summary s = probe_summarize(p, 3);

	CHECK_INT(s.offset, 97);
	CHECK_INT(s.delay, 20);
	check_near(s.mean, (100 + 97 + 200) / 3.0);
	check_near(s.deviation, 58.620246);
}

TEST(of_equal_round_trips_the_first_counts)
{
	const struct probe p[] = { { 7, 0, 20 }, { 9, 0, 20 } };

	CHECK_INT(probe_summarize(p, 2).offset, 7);
}

TEST(one_round_trip_has_no_deviation)
{
	const struct probe p = { 5, 12, 3 };
	struct probe_summary s = probe_summarize(&p, 1);

	CHECK_INT(s.offset, -7);
	check_near(s.mean, -7);
	CHECK(s.deviation == 0);
}

TEST(large_offsets_keep_their_deviation)
{
	const struct probe p[] = { { BASE, 0, 9 }, { BASE + 2, 0, 9 } };
	struct probe_summary s = probe_summarize(p, 2);

	CHECK_INT(s.offset, BASE);
	check_near(s.deviation, sqrt(2));
}

TEST_MAIN(RUN(the_shortest_round_trip_counts),
	RUN(of_equal_round_trips_the_first_counts),
	RUN(one_round_trip_has_no_deviation),
	RUN(large_offsets_keep_their_deviation))
