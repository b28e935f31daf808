/* SPDX-License-Identifier: MIT */
#include "base/digits.h"

#include <inttypes.h>

#include "scratch.h"
#include "test.h"

static void
same_as_printf(uint64_t value)
{
	char got[DIGITS_MAX + 1], want[32];

	*digits_u64(got, value) = '\0';
	snprintf(want, sizeof want, "%" PRIu64, value);
	CHECK_STR(got, want);
	*digits_i64(got, (int64_t)value) = '\0';
	snprintf(want, sizeof want, "%" PRId64, (int64_t)value);
	CHECK_STR(got, want);
}

TEST(random_values_of_every_length)
{
	uint64_t seed = 5;

	for (int i = 0; i < 100000; i++) {
		uint64_t v = scratch_random(&seed);

		same_as_printf(v >> (scratch_random(&seed) & 63));
	}
}

TEST(both_sides_of_every_power_of_ten_and_two)
{
	uint64_t ten = 1;

	for (int i = 0; i < 20; i++, ten *= 10)
		for (uint64_t v = ten - 2; v != ten + 3; v++)
			same_as_printf(v);
	for (int i = 0; i < 64; i++)
		for (uint64_t v = 0; v < 3; v++)
			same_as_printf((UINT64_C(1) << i) - 1 + v);
}

TEST(small_values)
{
	for (uint64_t v = 0; v < 20000; v++)
		same_as_printf(v);
}

TEST(the_ends_of_the_range)
{
	char text[DIGITS_MAX + 1];

	*digits_i64(text, INT64_MIN) = '\0';
	CHECK_STR(text, "-9223372036854775808");
	*digits_i64(text, INT64_MAX) = '\0';
	CHECK_STR(text, "9223372036854775807");
	*digits_u64(text, UINT64_MAX) = '\0';
	CHECK_STR(text, "18446744073709551615");
}

TEST_MAIN(RUN(random_values_of_every_length),
	RUN(both_sides_of_every_power_of_ten_and_two), RUN(small_values),
	RUN(the_ends_of_the_range))
