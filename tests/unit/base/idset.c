/* SPDX-License-Identifier: MIT */
#include "base/idset.h"
#include "test.h"

TEST(an_empty_set_has_nothing)
{
	struct idset s = { 0 };

	CHECK(!idset_has(&s, 0));
	CHECK(!idset_has(&s, UINT64_MAX));
	idset_fini(&s);
}

TEST(has_what_was_added_and_no_neighbour)
{
	static const uint64_t ids[] = { 0, 63, 64, 511, 512, UINT64_C(1) << 32,
		UINT64_MAX };
	struct idset s = { 0 };

	for (int i = 0; i < 7; i++)
		idset_add(&s, ids[i]);
	for (int i = 0; i < 7; i++)
		CHECK(idset_has(&s, ids[i]));
	CHECK(!idset_has(&s, 1));
	CHECK(!idset_has(&s, 62));
	CHECK(!idset_has(&s, 513));
	CHECK(!idset_has(&s, (UINT64_C(1) << 32) - 1));
	idset_fini(&s);
}

TEST(full_pages_keep_their_ids)
{
	struct idset s = { 0 };

	for (uint64_t i = 0; i < 100000; i++) {
		idset_add(&s, i);
		idset_add(&s, i); /* again: nothing changes */
	}
	for (uint64_t i = 0; i < 100000; i++)
		CHECK(idset_has(&s, i));
	CHECK(!idset_has(&s, 100000));
	CHECK_INT(map_count(&s.pages), 1);
	CHECK_INT(map_count(&s.full), 1);
	idset_fini(&s);
}

TEST(random_ids_equal_a_plain_table)
{
	static bool plain[1 << 16];
	struct idset s = { 0 };
	uint32_t x = 1;

	for (int i = 0; i < 60000; i++) {
		x = x * 1664525 + 1013904223;
		plain[x >> 16] = true;
		idset_add(&s, x >> 16);
	}
	for (uint64_t i = 0; i < 1 << 16; i++)
		CHECK(idset_has(&s, i) == plain[i]);
	idset_fini(&s);
}

TEST_MAIN(RUN(an_empty_set_has_nothing),
	RUN(has_what_was_added_and_no_neighbour),
	RUN(full_pages_keep_their_ids), RUN(random_ids_equal_a_plain_table))
