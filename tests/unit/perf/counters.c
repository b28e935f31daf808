/* SPDX-License-Identifier: MIT */
#include "perf/counters_read.h"

#include "test.h"

static struct weft_perf_share sum;

static struct weft_perf_group
group(int n)
{
	sum = (struct weft_perf_share){ 0, 0 };
	return (struct weft_perf_group){ .n = n, .sum = &sum };
}

TEST(a_share_of_the_time_is_scaled_to_all_of_it)
{
	struct weft_perf_group g = group(2);
	struct weft_perf_values v = { 2, 4000, 1000, { 10, 0 } };

	weft_perf_scale(&g, &v, (uint64_t[]){ 0, 0 });
	CHECK_INT(v.value[0], 40);
	CHECK_INT(v.value[1], 0);
	CHECK_INT(sum.enabled, 4000);
	CHECK_INT(sum.running, 1000);
}

TEST(the_share_of_all_reads_is_that_of_the_last)
{
	struct weft_perf_group g = group(1), other = g;
	struct weft_perf_values first = { 1, 100, 50, { 1 } };
	struct weft_perf_values second = { 1, 300, 100, { 2 } };

	weft_perf_scale(&g, &first, (uint64_t[]){ 0 });
	weft_perf_scale(&g, &second, first.value);
	CHECK_INT(sum.enabled, 300);
	CHECK_INT(sum.running, 100);
	weft_perf_scale(&other, &first, (uint64_t[]){ 0 });
	CHECK_INT(sum.enabled, 400);
	CHECK_INT(sum.running, 150);
}

TEST(a_counter_never_goes_back)
{
	struct weft_perf_group g = group(2);
	struct weft_perf_values v = { 2, 1000, 900, { 9, 900 } };

	weft_perf_scale(&g, &v, (uint64_t[]){ 20, 20 });
	CHECK_INT(v.value[0], 20);
	CHECK_INT(v.value[1], 1000);
}

TEST(what_never_ran_or_cannot_be_read_stays)
{
	struct weft_perf_group g = group(1);
	struct weft_perf_values v = { 1, 1000, 0, { 0 } };
	struct weft_perf_values none = { 0 };

	weft_perf_scale(&g, &v, (uint64_t[]){ 7 });
	CHECK_INT(v.value[0], 7);
	weft_perf_scale(&g, &none, (uint64_t[]){ 7 });
	CHECK_INT(none.value[0], 7);
	CHECK_INT(sum.enabled, 1000);
	CHECK_INT(sum.running, 0);
}

TEST(large_values_do_not_overflow)
{
	struct weft_perf_group g = group(1);
	uint64_t day = 86400000000000u;
	struct weft_perf_values v = { 1, 2 * day, day, { UINT64_MAX / 4 } };

	weft_perf_scale(&g, &v, (uint64_t[]){ 0 });
	CHECK_INT(v.value[0], UINT64_MAX / 4 * 2);
}

TEST_MAIN(RUN(a_share_of_the_time_is_scaled_to_all_of_it),
	RUN(the_share_of_all_reads_is_that_of_the_last),
	RUN(a_counter_never_goes_back),
	RUN(what_never_ran_or_cannot_be_read_stays),
	RUN(large_values_do_not_overflow))
