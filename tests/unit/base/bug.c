/* SPDX-License-Identifier: MIT */
#include "base/bug.h"

#include "scratch.h"
#include "test.h"

static void
breaks(void)
{
	BUG_ON(1 + 1 == 2);
}

static void
holds(void)
{
	BUG_ON(1 + 1 == 3);
}

TEST(a_bug_aborts_with_its_place)
{
	char text[256];

	CHECK_INT(scratch_child(breaks, text, sizeof text), 134);
	CHECK(strncmp(text, "BUG: ", 5) == 0);
	CHECK(strstr(text, "bug.c:") != NULL);
	CHECK(strstr(text, ": 1 + 1 == 2\n") != NULL);
}

TEST(no_bug_does_nothing)
{
	char text[256];

	CHECK_INT(scratch_child(holds, text, sizeof text), 0);
	CHECK_STR(text, "");
}

TEST_MAIN(RUN(a_bug_aborts_with_its_place), RUN(no_bug_does_nothing))
