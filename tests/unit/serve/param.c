/* SPDX-License-Identifier: MIT */
#include "serve/param.h"

#include <inttypes.h>

#include "base/arena.h"
#include "test.h"

/* The variables that the table of these tests fills. */
struct got {
	int64_t w, value;
	const char *text;
	int q;
	bool given;
};

static struct got got;
static struct err err;
static struct arena arena;

static bool
reads(const char *query)
{
	const struct param table[] = {
		{ .name = "w",
			.needed = true,
			.number = &got.w,
			.min = 1,
			.max = 100,
			.given = &got.given },
		{ .name = "value",
			.number = &got.value,
			.min = INT64_MIN,
			.max = INT64_MAX,
			.may_be_none = true },
		{ .name = "text", .text = &got.text, .most = 5 },
		{ .name = "q", .choice = &got.q, .choices = "15,63,255" },
		{ 0 },
	};

	got = (struct got){ 0 };
	err = (struct err){ 0 };
	return param_read(&arena, query, table, &err);
}

static void
check_refused(const char *query, const char *says)
{
	CHECK(!reads(query));
	CHECK(strstr(err.text, says) != NULL);
	if (strstr(err.text, says) == NULL)
		printf("# %s: %s\n", query, err.text);
}

TEST(reads_what_the_table_has)
{
	CHECK(reads("w=1&value=-12&text=a%2Bb+c&q=63"));
	CHECK_INT(got.w, 1);
	CHECK(got.given);
	CHECK_INT(got.value, -12);
	CHECK_STR(got.text, "a+b c");
	CHECK_INT(got.q, 1);
	CHECK(reads("w=100"));
	CHECK_INT(got.w, 100);
	arena_fini(&arena);
}

TEST(numbers_have_all_64_bits)
{
	CHECK(reads("w=1&value=9223372036854775807"));
	CHECK_INT(got.value, INT64_MAX);
	CHECK(reads("w=1&value=-9223372036854775808"));
	CHECK_INT(got.value, INT64_MIN);
	CHECK(reads("w=1&value=none"));
	CHECK_INT(got.value, INT64_MIN);
	check_refused("w=1&value=9223372036854775808", "value takes a number");
	check_refused("w=1&value=-9223372036854775809", "value takes a number");
	arena_fini(&arena);
}

TEST(says_which_parameter_is_wrong)
{
	check_refused("", "w is missing");
	check_refused("w=0", "w is from 1 to 100, not 0");
	check_refused("w=101", "w is from 1 to 100, not 101");
	check_refused("w=", "w takes a number, not \"\"");
	check_refused("w=+1", "w takes a number, not \" 1\"");
	check_refused("w=1.5", "w takes a number");
	check_refused("w=0x1", "w takes a number");
	check_refused("w=-", "w takes a number");
	check_refused("w=none", "w takes a number");
	check_refused("w=1&w=1", "w is given twice");
	check_refused("w=1&x=1", "no parameter \"x\"");
	check_refused("w=1&W=1", "no parameter \"W\"");
	check_refused("w=1&q=7", "q is one of 15,63,255, not \"7\"");
	check_refused("w=1&q=", "q is one of");
	check_refused("w=1&text=abcdef", "text has at most 5 bytes");
	arena_fini(&arena);
}

TEST(malformed_queries_are_refused)
{
	check_refused("w", "name=value");
	check_refused("&w=1", "name=value");
	check_refused("w=1&&q=15", "name=value");
	check_refused("=1", "no parameter \"\"");
	check_refused("w=1&text=%", "two hexadecimal");
	check_refused("w=1&text=%4", "two hexadecimal");
	check_refused("w=1&text=%zz", "two hexadecimal");
	check_refused("w=1&text=%00", "other than 00");
	check_refused("w=1&te%78t=a", "no parameter \"te%78t\"");
	arena_fini(&arena);
}

TEST(sentences_repeat_no_control_bytes)
{
	check_refused("w=%1b[31m", "w takes a number, not \"?[31m\"");
	CHECK(!reads(
		"w=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	CHECK(strstr(err.text, "...") != NULL);
	arena_fini(&arena);
}

TEST(lists_have_bounds)
{
	int64_t to[3];

	err = (struct err){ 0 };
	CHECK_INT(param_list("1,22,255", "hot", to, 3, 255, &err), 3);
	CHECK_INT(to[0], 1);
	CHECK_INT(to[1], 22);
	CHECK_INT(to[2], 255);
	CHECK_INT(param_list("1,2,3,4", "hot", to, 3, 255, &err), -1);
	CHECK_STR(err.text, "hot has at most 3 numbers");
	for (int i = 0; i < 6; i++) {
		static const char *const bad[] = { "", ",", "1,", "256", "-1",
			"1 2" };

		err = (struct err){ 0 };
		CHECK_INT(param_list(bad[i], "hot", to, 3, 255, &err), -1);
		CHECK_STR(err.text,
			"hot takes numbers from 0 to 255 with commas between "
			"them");
	}
}

TEST_MAIN(RUN(reads_what_the_table_has), RUN(numbers_have_all_64_bits),
	RUN(says_which_parameter_is_wrong), RUN(malformed_queries_are_refused),
	RUN(sentences_repeat_no_control_bytes), RUN(lists_have_bounds))
