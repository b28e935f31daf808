/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include "base/arena.h"
#include "test.h"

struct wide {
	int number;
	char rest[20];
};

TEST(elements_keep_their_place_and_start_zeroed)
{
	struct arena a = { 0 };
	VEC(struct wide) v = { 0 };

	for (int i = 0; i < 10000; i++) {
		struct wide *w = VEC_ADD(&v, &a);

		CHECK_INT(w->number, 0);
		CHECK_INT(w->rest[19], 0);
		w->number = i;
		w->rest[19] = 1;
	}
	CHECK_INT(v.n, 10000);
	for (int i = 0; i < v.n; i++)
		CHECK_INT(v.at[i].number, i);
	arena_fini(&a);
}

TEST(a_reused_element_is_zeroed)
{
	struct arena a = { 0 };
	VEC(int) v = { 0 };

	VEC_PUSH(&v, &a, 5);
	VEC_PUSH(&v, &a, 6);
	v.n = 1;
	CHECK_INT(*VEC_ADD(&v, &a), 0);
	CHECK_INT(v.at[0], 5);
	CHECK_INT(v.n, 2);
	arena_fini(&a);
}

TEST(holds_pointers)
{
	struct arena a = { 0 };
	VEC(const char *) v = { 0 };

	for (int i = 0; i < 100; i++)
		VEC_PUSH(&v, &a, arena_printf(&a, "%d", i));
	CHECK_STR(v.at[99], "99");
	CHECK_STR(v.at[0], "0");
	arena_fini(&a);
}

TEST_MAIN(RUN(elements_keep_their_place_and_start_zeroed),
	RUN(a_reused_element_is_zeroed), RUN(holds_pointers))
