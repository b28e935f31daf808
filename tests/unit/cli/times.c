/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "cli/times.h"

static int64_t
read(const char *text, const char *unit)
{
	int64_t time;

	return times_read(text, unit, &time) ? time : -1;
}

TEST(a_length_has_any_unit)
{
	CHECK_INT(read("12", "ns"), 12);
	CHECK_INT(read("12", "ps"), 12);
	CHECK_INT(read("1.5ms", "ns"), 1500000);
	CHECK_INT(read("0.5ns", "ps"), 500);
	CHECK_INT(read("1.5min", "ns"), INT64_C(90000000000));
	CHECK_INT(read("2h", "ns"), INT64_C(7200000000000));
}

TEST(a_part_of_the_unit_is_dropped)
{
	CHECK_INT(read("1.9", "ns"), 1);
	CHECK_INT(read("1999ps", "ns"), 1);
	CHECK_INT(read("0.0000000009999s", "ns"), 0);
	CHECK_INT(read("0.00000000000000000000001s", "ps"), 0);
}

TEST(a_length_is_nothing_else)
{
	static const char *const bad[] = { "", ".", "5.", ".5", "-5", "+5",
		"1e3", "5 ms", "5m", "5mss", "0x10", "99999999999h",
		"9223372036854775808" };

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		CHECK_INT(read(bad[i], "ns"), -1);
	CHECK_INT(read("9223372036854775807", "ps"), INT64_MAX);
}

TEST(a_unit_that_is_none_of_time_stands_alone)
{
	char text[TIMES_TEXT];

	CHECK_INT(read("12", "cycles"), 12);
	CHECK_INT(read("12ns", "cycles"), -1);
	CHECK_STR(times_text(123456789, "cycles", text), "123456789 cycles");
}

TEST(a_text_has_four_digits_before_the_point)
{
	char text[TIMES_TEXT];

	CHECK_STR(times_text(9999, "ns", text), "9999 ns");
	CHECK_STR(times_text(10000, "ns", text), "10.000 us");
	CHECK_STR(times_text(-10000, "ns", text), "-10.000 us");
	CHECK_STR(times_text(12345678, "ps", text), "12.346 us");
	CHECK_STR(
		times_text(INT64_C(90000000000000), "ns", text), "90000.000 s");
	CHECK_STR(times_unit(12345678, "ns").name, "ms");
}

TEST(seconds_are_cut_and_not_rounded)
{
	char text[TIMES_TEXT];

	CHECK_STR(times_seconds(UINT64_C(1999999999), 6, text), "1.999999");
	CHECK_STR(times_seconds(5, 9, text), "0.000000005");
}

TEST(a_clock_shows_the_day_in_utc)
{
	char text[TIMES_TEXT];

	*times_put_clock(text, INT64_C(86400000000000) * 3 + 50590000000500) =
		'\0';
	CHECK_STR(text, "14:03:10.000000500");
}

static const char *
put_moment(int64_t ns, char *to)
{
	*times_put_moment(to, ns) = '\0';
	return to;
}

TEST(a_moment_has_the_date)
{
	char text[TIMES_TEXT];

	CHECK_STR(put_moment(INT64_C(1700000000000000500), text),
		"2023-11-14T22:13:20.000000500Z");
	CHECK_STR(put_moment(-1, text), "1969-12-31T23:59:59.999999999Z");
	CHECK_STR(
		put_moment(INT64_MIN, text), "1677-09-21T00:12:43.145224192Z");
	CHECK_STR(
		put_moment(INT64_MAX, text), "2262-04-11T23:47:16.854775807Z");
}

static int64_t
moment(const char *option, const char *text)
{
	struct times_zero zero = { "ns", 1000, INT64_C(1700000000000000000),
		5 };
	struct err err = { 0 };
	int64_t time;

	return times_moment(option, text, &zero, &time, &err) ? time : -1;
}

TEST(a_moment_counts_from_what_its_sign_says)
{
	CHECK_INT(moment("from", "10us"), 10000);
	CHECK_INT(moment("from", "@1500"), 500);
	CHECK_INT(moment("to", "+1us"), 1005);
	CHECK_INT(moment("from", "+1us"), -1);
	CHECK_INT(moment("from", "2023-11-14T22:13:20.5Z"), 500000000);
	CHECK_INT(moment("from", "22:13:21Z"), INT64_C(1000000000));
	CHECK_INT(moment("from", "25:13Z"), -1);
}

TEST_MAIN(RUN(a_length_has_any_unit), RUN(a_part_of_the_unit_is_dropped),
	RUN(a_length_is_nothing_else),
	RUN(a_unit_that_is_none_of_time_stands_alone),
	RUN(a_text_has_four_digits_before_the_point),
	RUN(seconds_are_cut_and_not_rounded), RUN(a_clock_shows_the_day_in_utc),
	RUN(a_moment_has_the_date),
	RUN(a_moment_counts_from_what_its_sign_says))
