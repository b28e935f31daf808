/* SPDX-License-Identifier: MIT */
#include "trace/align/clock_line.h"

#include <stdlib.h>

#include "base/arena.h"
#include "test.h"

#define S INT64_C(1000000000)

static struct arena arena;

static struct clock_line
line(const struct clock_point *p, int n)
{
	struct clock_line l = { 0 };

	for (int i = 0; i < n; i++)
		CHECK(clock_line_add(&l, &arena, &p[i]));
	return l;
}

static int64_t
offset(const struct clock_line *l, int64_t local)
{
	int at = 0;

	return clock_line_offset(l, local, &at);
}

static int64_t
error(const struct clock_line *l, int64_t local)
{
	int at = 0;

	return clock_line_error(l, local, &at);
}

TEST(no_point_corrects_nothing)
{
	struct clock_line l = { 0 };

	CHECK_INT(offset(&l, 5), 0);
	CHECK_INT(error(&l, 5), -1);
}

TEST(one_point_is_a_constant)
{
	struct clock_line l =
		line(&(struct clock_point){ 10 * S, -7, 3, false }, 1);

	CHECK_INT(offset(&l, 0), -7);
	CHECK_INT(offset(&l, INT64_MAX / 2), -7);
	CHECK_INT(error(&l, 10 * S), 3);
	CHECK_INT(error(&l, 11 * S), 3 + 100000); /* it may drift by 100 ppm */
}

TEST(between_two_points_is_a_line)
{
	struct clock_line l =
		line((struct clock_point[]){ { 0, 100, 10, false },
			     { 10 * S, 100 + 200000, 20, false } },
			2);

	CHECK_INT(offset(&l, 0), 100);
	CHECK(llabs(offset(&l, 5 * S) - 100100) <= 1);
	CHECK(llabs(offset(&l, 20 * S) - 400100) <= 1);
	CHECK(llabs(offset(&l, -10 * S) + 199900) <= 1);
	CHECK_INT(error(&l, S), 10 + 200);
	CHECK_INT(error(&l, 9 * S), 20 + 200);
	CHECK_INT(error(&l, 12 * S), 20 + 400);
}

TEST(a_point_that_no_clock_can_reach_is_left_out)
{
	struct clock_line l = line(&(struct clock_point){ 0, 0, 0, false }, 1);
	struct clock_point far = { S, 2000000, 0, false };
	struct clock_point back = { 0, 5, 0, false };

	CHECK(!clock_line_add(&l, &arena, &far));
	CHECK(!clock_line_add(&l, &arena, &back));
	CHECK_INT(l.points.n, 1);
	far.offset = INT64_MAX;
	CHECK(!clock_line_add(&l, &arena, &far));
	far.offset = INT64_MIN;
	CHECK(!clock_line_add(&l, &arena, &far));
	far.offset = 1000000; /* 1000 ppm */
	CHECK(clock_line_add(&l, &arena, &far));
}

TEST(a_jump_is_taken_and_has_no_bar)
{
	struct clock_line l = line(
		(struct clock_point[]){ { 0, 0, 5, false },
			{ 10 * S, 0, 5, false }, { 20 * S, 100 * S, 5, true } },
		3);
	int at = 0;

	CHECK_INT(offset(&l, 15 * S), 0);
	CHECK_INT(error(&l, 15 * S), -1);
	CHECK_INT(offset(&l, 21 * S), 100 * S);
	CHECK_INT(error(&l, 20 * S), 5);
	CHECK_INT(clock_line_local(&l, 121 * S, &at), 21 * S);
	CHECK_INT(clock_line_local(&l, 9 * S, &at), 9 * S);
}

/* Drifts of all sizes and signs, clocks of 200 days: the inverse is right to
 * 1 ns, and the corrected time never goes back by more than 1 ns. */
TEST(the_inverse_is_right_to_a_ns)
{
	uint64_t random = 88172645463325252u;

	for (int i = 0; i < 300; i++) {
		struct clock_line l = { 0 };
		struct clock_point p = { 200 * 86400 * S, -3 * S, 0, false };
		int64_t last = 0;
		int there = 0, back = 0;

		for (int k = 0; k < 5; k++) {
			CHECK(clock_line_add(&l, &arena, &p));
			random = random * 6364136223846793005u + 1;
			p.local += S + (int64_t)(random >> 34);
			p.offset += (int64_t)(random >> 40) % 1900000 - 950000;
		}
		for (int k = -3; k < 40; k++) {
			int64_t local =
				200 * 86400 * S + k * INT64_C(299999999);
			int64_t time =
				local + clock_line_offset(&l, local, &there);

			CHECK(llabs(clock_line_local(&l, time, &back) -
				      local) <= 1);
			CHECK(time >= last - 1);
			last = time;
		}
		arena_reset(&arena);
	}
}

TEST_MAIN(RUN(no_point_corrects_nothing), RUN(one_point_is_a_constant),
	RUN(between_two_points_is_a_line),
	RUN(a_point_that_no_clock_can_reach_is_left_out),
	RUN(a_jump_is_taken_and_has_no_bar), RUN(the_inverse_is_right_to_a_ns))
