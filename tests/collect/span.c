/* SPDX-License-Identifier: MIT */
/* The clock of calls in threads that have recorded nothing. */
#include "inproc/collect/span.c"

#include "test.h"

__extension__ typedef unsigned __int128 wide;

enum { MS = 1000000 };

static struct weft_line line; /* of the fake recorder */
static int asked;
static bool has_line;

static bool
give(struct weft_line *to)
{
	asked++;
	*to = line;
	return has_line;
}

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
	span_now();
	span_take_line(give);
	span_now();
	CHECK_INT(asked, 0);
	for (int i = 1; i <= 2; i++) {
		pass(SPAN_BASE + MS);
		span_now();
		span_now();
		CHECK_INT(asked, i); /* not at each call */
	}
	CHECK(span_line == NULL);
	CHECK(least_error() < MS / 100);
}

TEST(a_span_is_one_of_the_counter_when_the_process_is_old_enough)
{
	uint64_t tsc = __builtin_ia32_rdtsc(), ns = span_clock();

	span_take_line(give);
	span_now();
	CHECK(span_line == NULL);
	pass(SPAN_BASE + MS);
	line = (struct weft_line){ .tsc0 = __builtin_ia32_rdtsc(),
		.ns0 = span_clock() };
	line.mult =
		(uint64_t)(((wide)(line.ns0 - ns) << 64) / (line.tsc0 - tsc));
	has_line = true;
	span_now();
	CHECK(span_line != NULL);
	CHECK(least_error() < MS / 100);
}

TEST_MAIN(RUN(a_span_is_one_of_the_system_clock_without_the_counter),
	RUN(a_span_is_one_of_the_counter_when_the_process_is_old_enough))
