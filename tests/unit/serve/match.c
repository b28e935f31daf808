/* SPDX-License-Identifier: MIT */
#include "serve/match.h"

#include "test.h"

static bool
fits(const char *pattern, const char *text)
{
	struct match m;
	struct err err = { 0 };
	bool is;

	if (!match_init(&m, pattern, "text", &err)) {
		test_fail(__FILE__, __LINE__, err.text);
		return false;
	}
	is = match_fits(&m, text);
	match_fini(&m);
	return is;
}

TEST(a_part_fits_whatever_its_case)
{
	CHECK(fits("wait", "Blocking: TaskWait"));
	CHECK(!fits("waits", "Blocking: TaskWait"));
	CHECK(fits("/", "a/b"));
	CHECK(fits("a.c/", "xa.c/"));
	CHECK(!fits("a.c", "abc"));
}

TEST(slashes_hold_a_regular_expression)
{
	CHECK(fits("/^Task.*(body|end)$/", "Task: Running body"));
	CHECK(!fits("/^task/", "Task: Running body"));
	CHECK(fits("//", "anything"));
}

TEST(dear_and_wrong_expressions_are_refused)
{
	static const char *const bad[] = { "/a{1,255}/", "/(a)\\1/", "/(/",
		"/[/", "/*(/" };
	struct match m;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err err = { 0 };

		CHECK(!match_init(&m, bad[i], "text", &err));
		CHECK(strncmp(err.text, "text: ", 6) == 0);
	}
	CHECK(fits("/a\\\\1/", "a\\1"));
}

TEST_MAIN(RUN(a_part_fits_whatever_its_case),
	RUN(slashes_hold_a_regular_expression),
	RUN(dear_and_wrong_expressions_are_refused))
