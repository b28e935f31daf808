/* SPDX-License-Identifier: MIT */
/* Blocks below the threshold: their sizes, and which tracked block is near. */
#include "inproc/mem/small.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/mem/track.h"
#include "test.h"

enum { BYTES = 4096, USED = 1 };

static unsigned char bytes[BYTES];

static void
put(size_t at, uint64_t word)
{
	memcpy(bytes + at, &word, sizeof(word));
}

/* A heap of blocks of one size from byte 0 on. */
static void
fill(uint64_t size)
{
	memset(bytes, 0xaa, sizeof(bytes));
	for (size_t at = 8; at + 8 <= BYTES; at += size)
		put(at, size | USED);
}

TEST(sizes_as_the_heap_hands_them_out)
{
	CHECK(small_size_of(1) == 32);
	CHECK(small_size_of(24) == 32);
	CHECK(small_size_of(25) == 48);
	CHECK(small_size_of(40) == 48);
	CHECK(small_size_of(1000) == 1008);
}

TEST(finds_the_block_of_any_byte)
{
	size_t lo = 0;

	fill(64);
	for (size_t at = 1024; at < 1024 + 128; at++) {
		size_t begin = (at - 16) / 64 * 64 + 16;
		bool is_word = at % 64 >= 8 && at % 64 < 16;

		if (is_word)
			continue; /* these bytes belong to the heap, not to a
			           * block */
		CHECK(small_size_at(bytes, BYTES, at, &lo) == 64);
		/* a block may use the word before the next block's size */
		CHECK(lo == begin || at % 64 < 8);
	}
}

TEST(no_size_where_no_words_lead_on)
{
	size_t lo = 0;

	memset(bytes, 0, sizeof(bytes));
	CHECK(small_size_at(bytes, BYTES, 2048, &lo) == 0);
	memset(bytes, 0xaa, sizeof(bytes));
	CHECK(small_size_at(bytes, BYTES, 2048, &lo) == 0);
	put(2040, 48 | USED); /* like a size, but no block follows */
	CHECK(small_size_at(bytes, BYTES, 2060, &lo) == 0);
	put(2040 + 48, 64 | USED);
	put(2040 + 48 + 64, 32);
	put(2040 + 48 + 64 + 32, 32 | USED);
	CHECK(small_size_at(bytes, BYTES, 2060, &lo) == 48);
	CHECK(lo == 2048);
}

TEST(any_bytes_and_places_are_read_within_bounds)
{
	size_t lo = 0;

	fill(32);
	for (size_t n = 0; n < 200; n++)
		for (size_t at = 0; at < 260; at++) {
			uint64_t size = small_size_at(bytes, n, at, &lo);

			CHECK(size == 0 || size == 32);
		}
}

TEST(sees_blocks_of_this_c_library)
{
#ifdef __SANITIZE_THREAD__
	TEST_SKIP("not with a sanitizer: it has a malloc of its own");
#endif
	enum { N = 200 };
	unsigned char *p[N];
	size_t lo = 0;
	uint64_t from;

	for (int i = 0; i < N; i++)
		p[i] = malloc(40);
	from = (uint64_t)(uintptr_t)p[0] - 16;
	/* if the heap had no gaps, the blocks are adjacent, and all are seen */
	for (int i = 0; i < N - 8; i++)
		if (p[N - 1] - p[0] == (ptrdiff_t)48 * (N - 1))
			CHECK(small_size_at((void *)(uintptr_t)from, 48 * N,
				      (size_t)i * 48 + 16 + 8, &lo) == 48 &&
				lo == (size_t)i * 48 + 16);
	for (int i = 0; i < N; i++)
		free(p[i]);
}

static struct block tracked[16];
static int used;

static struct block *
track_one(uint64_t lo, uint64_t size, uint32_t path)
{
	struct block *b = &tracked[used++];

	*b = (struct block){ .lo = lo,
		.size = size,
		.born = 1,
		.path = path,
		.weight = 1,
		.state = BLOCK_SMALL };
	index_add(&track.heap, b);
	return b;
}

/* Nothing is mapped at the addresses: sizes are not seen. */
TEST(the_nearest_block_that_was_alive_is_alike)
{
	uint64_t at = 1ull << 45;
	struct block *near, *dead;
	bool is_mixed = true;

	CHECK(small_like(at, 10, &is_mixed) == NULL);
	CHECK(!is_mixed);
	track_one(at - 5000, 48, 1);
	near = track_one(at + 3000, 48, 1);
	dead = track_one(at + 100, 48, 2);
	dead->died = 5;
	track_one(at + 50, 4096, 3)->state = 0; /* large */
	track_one(at + (64 << 20), 48, 4);      /* far */
	CHECK(small_like(at, 10, &is_mixed) == near);
	CHECK(!is_mixed);
	CHECK(small_like(at, 3, &is_mixed) == dead);
	CHECK(is_mixed);
}

TEST_MAIN(RUN(sizes_as_the_heap_hands_them_out),
	RUN(finds_the_block_of_any_byte), RUN(no_size_where_no_words_lead_on),
	RUN(any_bytes_and_places_are_read_within_bounds),
	RUN(sees_blocks_of_this_c_library),
	RUN(the_nearest_block_that_was_alive_is_alike))
