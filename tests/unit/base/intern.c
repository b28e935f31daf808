/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

TEST(equal_strings_have_one_number)
{
	struct arena a = { 0 };
	struct intern t;
	char text[] = "two";

	intern_init(&t, &a);
	CHECK_INT(intern_find(&t, "one"), INTERN_NONE);
	CHECK_INT(intern_add(&t, "one"), 0);
	CHECK_INT(intern_add(&t, text), 1);
	memset(text, 'x', 3);
	CHECK_INT(intern_add(&t, "two"), 1);
	CHECK_INT(intern_add(&t, ""), 2);
	CHECK_INT(intern_find(&t, "one"), 0);
	CHECK_INT(intern_find(&t, ""), 2);
	CHECK_INT(intern_find(&t, "tw"), INTERN_NONE);
	CHECK_STR(intern_name(&t, 1), "two");
	CHECK_INT(t.n, 3);
	arena_fini(&a);
}

TEST(takes_a_part_of_a_string)
{
	struct arena a = { 0 };
	struct intern t;

	intern_init(&t, &a);
	CHECK_INT(intern_add_n(&t, "node.cpu", 4), 0);
	CHECK_INT(intern_add_n(&t, "node.cpu", 8), 1);
	CHECK_INT(intern_add(&t, "node"), 0);
	CHECK_INT(intern_add_n(&t, "node", 100), 0); /* ends at the NUL */
	CHECK_INT(intern_add_n(&t, "node", 0), 2);
	CHECK_STR(intern_name(&t, 0), "node");
	arena_fini(&a);
}

TEST(numbers_stay_while_it_grows)
{
	struct arena a = { 0 };
	struct intern t;
	char text[32];

	intern_init(&t, &a);
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(text, sizeof text, "name %u", i);
		CHECK_INT(intern_add(&t, text), i);
	}
	for (uint32_t i = 0; i < 20000; i++) {
		snprintf(text, sizeof text, "name %u", i);
		CHECK_INT(intern_find(&t, text), i);
		CHECK_STR(intern_name(&t, i), text);
	}
	arena_fini(&a);
}

static void
name_of_nothing(void)
{
	struct arena a = { 0 };
	struct intern t;

	intern_init(&t, &a);
	intern_name(&t, 0);
}

TEST(a_number_that_was_never_given_is_a_bug)
{
	char text[1];

	CHECK_INT(scratch_child(name_of_nothing, text, 1), 134);
}

TEST_MAIN(RUN(equal_strings_have_one_number), RUN(takes_a_part_of_a_string),
	RUN(numbers_stay_while_it_grows),
	RUN(a_number_that_was_never_given_is_a_bug))
