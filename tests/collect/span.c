/* SPDX-License-Identifier: MIT */
/* The clock of calls in threads that have recorded nothing. */
#include "inproc/collect/span.c"

#include "test.h"

enum { MS = 1000000 };

static void
pass(uint64_t ns)
{
	uint64_t from = span_clock();

	while (span_clock() - from < ns)
		;
}

/* Returns the least difference between a span and CLOCK_MONOTONIC, ns: another
 * program may come between the readings. */
static uint64_t
least_error(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 50; i++) {
		uint64_t at = span_now(), from = span_clock(), to, took;

		pass(MS / 2);
		took = span_now() - at;
		to = span_clock();
		took = took > to - from ? took - (to - from) : to - from - took;
		least = took < least ? took : least;
	}
	return least;
}

TEST(a_span_is_one_of_the_system_clock_without_the_counter)
{
	span_load();
	pass(2 * SPAN_BASE);
	span_now();
	CHECK(span_line == NULL);
	CHECK(least_error() < MS / 100);
}

TEST(a_span_is_one_of_the_counter_when_the_process_is_old_enough)
{
	span_load();
	span_may_count();
	span_now();
	CHECK(span_line == NULL);
	pass(SPAN_BASE + MS);
	span_now();
	CHECK(span_line != NULL);
	CHECK(least_error() < MS / 100);
}

TEST_MAIN(RUN(a_span_is_one_of_the_system_clock_without_the_counter),
	RUN(a_span_is_one_of_the_counter_when_the_process_is_old_enough))
