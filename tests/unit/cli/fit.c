/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/arena.h"
#include "base/columns.h"
#include "cli/fit.h"

static void
check(const char *const *text, int n, int width)
{
	struct arena a = { 0 };
	const char **fit = fit_texts(&a, text, n, width);

	for (int i = 0; i < n; i++) {
		CHECK(columns_of(fit[i]) <= width);
		CHECK(columns_of(text[i]) > width || fit[i] == text[i]);
		for (int j = 0; j < i; j++)
			CHECK_INT(strcmp(fit[i], fit[j]) == 0,
				strcmp(text[i], text[j]) == 0);
	}
	arena_fini(&a);
}

TEST(names_that_are_cut_stay_different)
{
	check((const char *const[]){ "a", "bb", "a" }, 3, 8);
	check((const char *const[]){ "abcdefghijkl", "bcdefghijklm" }, 2, 8);
	check((const char *const[]){ "same begin 1", "same begin 2" }, 2, 8);
	check((const char *const[]){ "same begin 1 and end",
		      "same begin 2 and end", "same begin 2 and end" },
		3, 8);
	check((const char *const[]){ "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc"
				     "\u00e4\u00f6\u00fc1",
		      "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc"
		      "\u00e4\u00f6\u00fc2" },
		2, 8);
	check(NULL, 0, 8);
}

#define WIDE "\u8a08\u7b97\u8a08\u7b97\u8a08\u7b97"
#define ACCENTS "a\u0308a\u0308a\u0308a\u0308a\u0308a\u0308a\u0308a\u0308"

TEST(wide_characters_and_accents_are_cut_by_columns)
{
	struct arena a = { 0 };
	const char *const names[] = { WIDE "1" WIDE, WIDE "2" WIDE };
	const char *const accents[] = { ACCENTS "b", ACCENTS "c" };

	for (int width = 8; width < 28; width++) {
		check(names, 2, width);
		check(accents, 2, width);
	}
	/* An accent stays with its letter. */
	CHECK_STR(fit_texts(&a, accents, 1, 8)[0], ACCENTS);
	arena_fini(&a);
}

TEST(an_end_tells_names_apart)
{
	struct arena a = { 0 };
	const char *const text[] = { "system.core0.cache.l1",
		"system.core0.cache.l2" };
	const char **fit = fit_texts(&a, text, 2, 12);

	CHECK_STR(fit[0], "syste..he.l1");
	CHECK_STR(fit[1], "syste..he.l2");
	arena_fini(&a);
}

TEST(a_cut_leaves_no_part_of_a_number)
{
	struct arena a = { 0 };
	const char *const text[] = { "walk() 97 %, other() 3 %" };
	const char *const ends[] = { "same begin 1234 x", "same begin 5634 x" };

	CHECK_STR(fit_texts(&a, text, 1, 9)[0], "walk() 97");
	CHECK_STR(fit_texts(&a, text, 1, 8)[0], "walk() ");
	CHECK_STR(fit_texts(&a, ends, 2, 10)[0], "same beg~1");
	arena_fini(&a);
}

TEST_MAIN(RUN(names_that_are_cut_stay_different),
	RUN(wide_characters_and_accents_are_cut_by_columns),
	RUN(an_end_tells_names_apart), RUN(a_cut_leaves_no_part_of_a_number))
