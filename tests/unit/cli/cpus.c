/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "cli/cpus.h"

TEST(a_second_thread_needs_a_free_cpu)
{
	CHECK(cpus_one_is_free_of(2, "0.31 0.20 0.11 1/345 6789\n"));
	CHECK(!cpus_one_is_free_of(2, "0.31 0.20 0.11 2/345 6789\n"));
	CHECK(!cpus_one_is_free_of(2, "9.00 8.00 7.00 12/345 6789\n"));
	CHECK(cpus_one_is_free_of(16, "9.00 8.00 7.00 12/345 6789\n"));
	CHECK(!cpus_one_is_free_of(16, "9.00 8.00 7.00 16/345 6789\n"));
}

TEST(one_cpu_has_no_room_for_two)
{
	CHECK(!cpus_one_is_free_of(1, "0.00 0.00 0.00 1/345 6789\n"));
	CHECK(!cpus_one_is_free_of(1, NULL));
}

TEST(what_is_not_known_is_taken_as_free)
{
	CHECK(cpus_one_is_free_of(2, NULL));
	CHECK(cpus_one_is_free_of(2, ""));
	CHECK(cpus_one_is_free_of(2, "no numbers"));
	CHECK(!cpus_one_is_free_of(2, "7/9"));
}

TEST_MAIN(RUN(a_second_thread_needs_a_free_cpu),
	RUN(one_cpu_has_no_room_for_two),
	RUN(what_is_not_known_is_taken_as_free))
