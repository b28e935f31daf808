/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <string.h>

#include "base/near.h"

static const char *
nearest(const char *word)
{
	static const char *const words[] = { "emu", "stat", "dump", "sort",
		"nanos6.subsystem", "nanos6.idle" };
	struct near n = { .word = word };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		near_try(&n, words[i]);
	return n.best == NULL ? "" : n.best;
}

TEST(a_word_with_a_slip_is_near)
{
	CHECK_STR(nearest("emul"), "emu");
	CHECK_STR(nearest("satt"), "stat");
	CHECK_STR(nearest("dmup"), "dump");
	CHECK_STR(nearest("nanos6.sub"), "nanos6.subsystem");
	CHECK_STR(nearest("nanos6.subsistem"), "nanos6.subsystem");
}

TEST(another_word_is_not)
{
	CHECK_STR(nearest("frobnicate"), "");
	CHECK_STR(nearest(""), "");
	CHECK_STR(nearest("x"), "");
}

TEST(the_hint_names_a_word_of_a_list)
{
	char to[NEAR_HINT];

	CHECK_STR(near_hint("time,times,name", "nmae", to),
		"; did you mean name?");
	CHECK_STR(near_hint("info, slowest, groups", "group", to),
		"; did you mean groups?");
	CHECK_STR(near_hint("info, slowest, groups", "tree", to), "");
	CHECK_STR(near_hint("", "tree", to), "");
}

TEST(the_hint_never_cuts_the_word)
{
	static const char longest[] = "0123456789012345678901234567890123456789"
				      "01234567890123456789.end";
	char to[NEAR_HINT];

	near_hint(longest, "01234567890", to);
	CHECK(strstr(to, longest) != NULL);
}

TEST_MAIN(RUN(a_word_with_a_slip_is_near), RUN(another_word_is_not),
	RUN(the_hint_names_a_word_of_a_list), RUN(the_hint_never_cuts_the_word))
