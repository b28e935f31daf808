/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdint.h>

#include "scratch.h"
#include "test.h"

static bool
is_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

TEST(objects_are_zeroed_aligned_and_apart)
{
	struct arena a = { 0 };
	unsigned char *object[500];
	uint64_t seed = 1;

	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < 500; i++) {
			size_t size = scratch_random(&seed) % 3000;

			if (i % 50 == 0)
				size *= 40; /* so large that it gets a chunk of
				             * its own */
			object[i] = arena_alloc(&a, size + 1);
			CHECK((uintptr_t)object[i] % _Alignof(max_align_t) ==
				0);
			CHECK(is_zero(object[i], size + 1));
			memset(object[i], (int)(i & 0xff), size + 1);
		}
		for (size_t i = 0; i < 500; i++)
			CHECK_INT(object[i][0], i & 0xff);
		arena_reset(&a);
	}
	arena_fini(&a);
}

TEST(nothing_is_a_valid_object)
{
	struct arena a = { 0 };

	CHECK(arena_alloc(&a, 0) != NULL);
	CHECK(arena_array(&a, 0, 8) != NULL);
	CHECK(arena_array(&a, 8, 0) != NULL);
	arena_fini(&a);
	arena_fini(&a);
	arena_reset(&a);
}

TEST(an_arena_can_be_used_after_fini)
{
	struct arena a = { 0 };

	arena_alloc(&a, 100000);
	arena_fini(&a);
	CHECK_STR(arena_strdup(&a, "again"), "again");
	arena_fini(&a);
}

TEST(reset_keeps_a_chunk)
{
	struct arena a = { 0 };
	char *first = arena_alloc(&a, 100);

	arena_reset(&a);
	CHECK(arena_alloc(&a, 100) == first);
	arena_fini(&a);
}

TEST(strings_are_copied)
{
	struct arena a = { 0 };
	char text[] = "hello";
	char *copy = arena_strdup(&a, text);

	text[0] = 'j';
	CHECK_STR(copy, "hello");
	CHECK_STR(arena_strndup(&a, text, 3), "jel");
	CHECK_STR(arena_strndup(&a, text, 0), "");
	CHECK_STR(arena_printf(&a, "%s-%d", text, 42), "jello-42");
	CHECK_STR(arena_printf(&a, "%s", ""), "");
	CHECK_INT(strlen(arena_printf(&a, "%50000d", 1)), 50000);
	arena_fini(&a);
}

TEST(heap_blocks_grow)
{
	int *p = mem_resize(NULL, 1, sizeof *p);

	p[0] = 7;
	p = mem_resize(p, 100000, sizeof *p);
	CHECK_INT(p[0], 7);
	p = mem_resize(p, 0, sizeof *p);
	mem_free(p);
	mem_free(NULL);
}

static volatile size_t huge = SIZE_MAX / 2 + 1;

static void
overflow(void)
{
	struct arena a = { 0 };

	arena_array(&a, huge, 2);
}

static void
too_big(void)
{
	struct arena a = { 0 };

	arena_alloc(&a, huge);
}

static void
too_big_block(void)
{
	mem_free(mem_resize(NULL, huge, 2));
}

TEST(out_of_memory_ends_with_code_3_and_a_sentence)
{
	char text[256];

	CHECK_INT(scratch_child(overflow, text, sizeof text), 3);
	CHECK_STR(text, "weft: out of memory\n");
	CHECK_INT(scratch_child(too_big, text, sizeof text), 3);
	CHECK_INT(scratch_child(too_big_block, text, sizeof text), 3);
}

TEST_MAIN(RUN(objects_are_zeroed_aligned_and_apart),
	RUN(nothing_is_a_valid_object), RUN(an_arena_can_be_used_after_fini),
	RUN(reset_keeps_a_chunk), RUN(strings_are_copied),
	RUN(heap_blocks_grow),
	RUN(out_of_memory_ends_with_code_3_and_a_sentence))
