/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

#include "test.h"

static const uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xfe, 0xff, 0xff,
	0xff, 'h', 'i', 0, 'x' };

TEST(reads_little_endian_at_any_place)
{
	struct bytes b = bytes_of(data, sizeof data);

	CHECK_INT(bytes_u8(&b), 1);
	CHECK_INT(bytes_u16(&b), 0x0302);
	CHECK_INT(bytes_u32(&b), 0x07060504);
	CHECK_INT(bytes_left(&b), sizeof data - 7);
	b = bytes_of(data, sizeof data);
	CHECK(bytes_u64(&b) == UINT64_C(0x0807060504030201));
	CHECK_INT(bytes_u8(&b), 255);
	CHECK_INT(bytes_i32(&b), -2);
	CHECK(!b.bad);
	CHECK_INT(bytes_left(&b), 4);
	b = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff", 8);
	CHECK_INT(bytes_i64(&b), -1);
}

/* Reads `size` bytes from n bytes of data. */
static void
read_too_much(size_t size, size_t n)
{
	struct bytes b = bytes_of(data, n);

	CHECK_INT(bytes_uint(&b, size), 0);
	CHECK(b.bad);
	CHECK_INT(bytes_u8(&b), 0);
	CHECK(bytes_take(&b, 0) == NULL);
}

TEST(a_read_past_the_end_gives_zero_and_sticks)
{
	for (size_t size = 1; size <= 8; size *= 2)
		for (size_t n = 0; n < size; n++)
			read_too_much(size, n);
}

TEST(a_huge_size_is_past_the_end)
{
	struct bytes b = bytes_of(data, sizeof data);

	CHECK(bytes_take(&b, SIZE_MAX) == NULL);
	CHECK(b.bad);
}

TEST(no_bytes_are_fine)
{
	struct bytes b = bytes_of(NULL, 0);

	CHECK_INT(bytes_left(&b), 0);
	CHECK(bytes_take(&b, 0) != NULL);
	CHECK(!b.bad);
	CHECK_INT(bytes_u8(&b), 0);
	CHECK(b.bad);
}

TEST_MAIN(RUN(reads_little_endian_at_any_place),
	RUN(a_read_past_the_end_gives_zero_and_sticks),
	RUN(a_huge_size_is_past_the_end), RUN(no_bytes_are_fine))
