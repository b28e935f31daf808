/* SPDX-License-Identifier: MIT */
#include "base/alias.h"

#include "base/arena.h"
#include "test.h"

static bool
becomes(const char *text, const char *want)
{
	char room[200];

	snprintf(room, sizeof room, "%s", text);
	alias_text(room, sizeof room);
	if (strcmp(room, want) != 0)
		test_fail(__FILE__, __LINE__, room);
	return strcmp(room, want) == 0;
}

TEST(paths_have_the_names_of_their_archives)
{
	CHECK(becomes("/t/a/x", "/t/a/x"));
	alias_add("/t/a", "fib.tar");
	CHECK(becomes("/t/a/in/x: cut", "fib.tar:in/x: cut"));
	CHECK(becomes("see /t/a and /t/a/x", "see fib.tar and fib.tar:x"));
	CHECK(becomes("/t/b/x", "/t/b/x"));
}

TEST(an_archive_in_an_archive_has_both_names)
{
	alias_add("/t/b", "/t/a/inner.zip");
	alias_add("/t/c/x.prv", "x.prv.xz");
	CHECK(becomes("/t/b/x", "fib.tar:inner.zip:x"));
	CHECK(becomes("/t/c/x.prv: line 3", "x.prv.xz: line 3"));
}

TEST(long_texts_are_cut)
{
	char room[8] = "/t/a/in";

	alias_text(room, sizeof room);
	CHECK_STR(room, "fib.tar");
}

TEST_MAIN(RUN(paths_have_the_names_of_their_archives),
	RUN(an_archive_in_an_archive_has_both_names), RUN(long_texts_are_cut))
