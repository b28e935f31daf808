/* SPDX-License-Identifier: MIT */
/* Reads back the bytes of records. */
#include "test.h"

#include "export/index/records.h"

enum { N = 20000 };

static uint8_t bytes[N * VARINT_MOST + RECORDS_AHEAD];
static uint64_t delta[N];
static uint8_t slot[N];

/* Returns the number of bits of the largest slot. */
static unsigned
width_of(unsigned nseen)
{
	unsigned bits = 1;

	while ((nseen - 1) >> bits != 0)
		bits++;
	return bits;
}

static uint64_t
next(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *x >> 32 | *x << 32;
}

/* Writes records with times of up to `most` bits. Returns the end. */
static const uint8_t *
write_records(unsigned nseen, unsigned most, uint64_t seed)
{
	uint8_t *at = bytes;

	for (int i = 0; i < N; i++) {
		delta[i] = next(&seed) >> (64 - 1 - next(&seed) % most);
		slot[i] = (uint8_t)(next(&seed) % nseen);
		at = records_put(at, records_bits(nseen), delta[i], slot[i]);
	}
	return at;
}

TEST(a_slot_takes_the_bits_of_the_largest_one)
{
	for (unsigned nseen = 1; nseen <= RECORDS_SLOTS; nseen++)
		CHECK_INT(records_bits(nseen), width_of(nseen));
	CHECK_INT(records_bits(RECORDS_SLOTS + 1), 0);
	CHECK_INT(records_bits(256), 0);
}

TEST(records_come_back)
{
	static const unsigned seen[] = { 1, 2, 3, 9, 16, 17, 128 };

	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		for (unsigned most = 1; most <= 63; most += 2) {
			const uint8_t *end = write_records(seen[i], most, i);
			unsigned bits = records_bits(seen[i]);
			struct records quick = records_of(bytes, bits);
			struct records plain = records_of(bytes, bits);
			int bad = 0;

			for (int k = 0; k < N; k++) {
				uint8_t s1, s2;
				uint64_t d1 = records_next(&quick, &s1);
				uint64_t d2 = records_plain(&plain, &s2);

				bad += d1 != delta[k] || d2 != delta[k] ||
					s1 != slot[k] || s2 != slot[k];
			}
			CHECK_INT(bad, 0);
			CHECK(quick.at == end && plain.at == end);
		}
}

/* Checks the records from `first` on, which begin at `at`. Returns their end.
 */
static const uint8_t *
check_block(const uint8_t *at, const uint8_t *end, int first, unsigned bits)
{
	static struct records_block block;
	unsigned n = N - first < RECORDS_MOST - 1 ? (unsigned)(N - first)
						  : RECORDS_MOST - 1;
	int bad = 0;

	at = records_block(at, end, (struct records_are){ n, bits }, &block);
	CHECK(at != NULL);
	for (unsigned k = 0; k < n; k++)
		bad += block.delta[k] != delta[first + (int)k] ||
			block.slot[k] != slot[first + (int)k];
	CHECK_INT(bad, 0);
	return at;
}

TEST(blocks_come_back)
{
	static const unsigned seen[] = { 2, 20, 128 };

	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		for (unsigned most = 1; most <= 63; most += 2) {
			const uint8_t *end = write_records(seen[i], most, i);
			const uint8_t *at = bytes;

			for (int k = 0; at != NULL && k < N;
				k += RECORDS_MOST - 1)
				at = check_block(
					at, end, k, records_bits(seen[i]));
			CHECK(at == end);
		}
}

TEST(a_block_that_ends_too_early_is_refused)
{
	static struct records_block block;
	const uint8_t *end = write_records(20, 30, 1);

	CHECK(records_block(end, end, (struct records_are){ 1, 5 }, &block) ==
		NULL);
	CHECK(records_block(bytes, bytes + 9, (struct records_are){ 200, 5 },
		      &block) == NULL);
	memset(bytes, 0xff, sizeof bytes);
	CHECK(records_block(bytes, bytes + 500, (struct records_are){ 200, 5 },
		      &block) == NULL);
}

TEST(quick_integers_have_the_same_bytes)
{
	uint8_t quick[VARINT_MOST], plain[VARINT_MOST];
	uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		uint64_t value = next(&seed) >> i % 64;
		ptrdiff_t n = varint_put(plain, value) - plain;

		CHECK_INT(varint_put_quick(quick, value) - quick, n);
		CHECK(memcmp(quick, plain, (size_t)n) == 0);
	}
	CHECK_INT(varint_put_quick(quick, 0) - quick, 1);
	CHECK_INT(quick[0], 0);
}

/* Times and slots in one integer never take more bytes than apart. */
TEST(records_are_short)
{
	uint8_t apart[VARINT_MOST], one[VARINT_MOST];
	uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		uint64_t time = next(&seed) >> next(&seed) % 64 >> 1;

		for (unsigned bits = 1; bits <= 7; bits++)
			CHECK(records_put(one, bits, time, 0) - one <=
				varint_put(apart, time) - apart + 1);
	}
}

TEST_MAIN(RUN(a_slot_takes_the_bits_of_the_largest_one), RUN(records_come_back),
	RUN(quick_integers_have_the_same_bytes), RUN(blocks_come_back),
	RUN(a_block_that_ends_too_early_is_refused), RUN(records_are_short))
