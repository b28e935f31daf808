/* SPDX-License-Identifier: MIT */
#include "serve/pack.h"

#include "test.h"

#define SIZE 100000

/* Bytes that do not pack well; the same every time. */
static const char *
noise(unsigned seed)
{
	static char bytes[SIZE];

	for (size_t i = 0; i < SIZE; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (char)(seed >> 24);
	}
	return bytes;
}

static struct pack *
open_pack(size_t most)
{
	return pack_open(most, &(struct err){ 0 });
}

TEST(a_unit_that_does_not_fit_leaves_no_byte)
{
	size_t with, without;
	static uint8_t kept[3 * SIZE];
	const uint8_t *at;
	struct pack *p = open_pack(SIZE * 5 / 2);

	if (p == NULL)
		TEST_SKIP("this build lacks zlib");
	pack_begin(p);
	pack_put(p, "a", noise(1), SIZE);
	CHECK(pack_end(p, 1000));
	pack_begin(p);
	pack_put(p, "b", noise(2), SIZE);
	pack_put(p, "c", noise(3), SIZE);
	CHECK(!pack_end(p, 1000));
	pack_begin(p);
	pack_put(p, "d", noise(4), SIZE);
	CHECK(pack_end(p, 1000));
	at = pack_finish(p, &with);
	CHECK(with <= SIZE * 5 / 2);
	memcpy(kept, at, with);
	pack_close(p);

	p = open_pack(SIZE * 5 / 2);
	pack_begin(p);
	pack_put(p, "a", noise(1), SIZE);
	CHECK(pack_end(p, 1000));
	pack_begin(p);
	pack_put(p, "d", noise(4), SIZE);
	CHECK(pack_end(p, 1000));
	at = pack_finish(p, &without);
	CHECK_INT((long)with, (long)without);
	CHECK(memcmp(kept, at, with) == 0);
	pack_close(p);
	pack_close(NULL);
}

TEST(spare_bytes_are_kept_free)
{
	struct pack *p = open_pack(SIZE * 3 / 2);

	if (p == NULL)
		TEST_SKIP("this build lacks zlib");
	pack_begin(p);
	pack_put(p, "a", noise(1), SIZE);
	CHECK(!pack_end(p, SIZE));
	pack_begin(p);
	pack_put(p, "a", noise(1), SIZE);
	CHECK(pack_end(p, SIZE / 4));
	pack_close(p);
}

TEST_MAIN(RUN(a_unit_that_does_not_fit_leaves_no_byte),
	RUN(spare_bytes_are_kept_free))
