/* SPDX-License-Identifier: MIT */
#include "trace/obs/stream.h"

#include "obs_files.h"
#include "test.h"
#include "unit/base/scratch.h"

#define WINDOW 4096
#define HEADER sizeof(struct obs_file_header)

static bool
open_stream(
	struct obs_stream *s, const struct bytes_out *b, struct findings *fs)
{
	char dir[64];
	bool ok;

	findings_init(fs, NULL, 0);
	scratch_enter(dir);
	save(b, "stream.obs");
	ok = obs_stream_open(s, "stream.obs", fs, WINDOW, true);
	scratch_leave(dir);
	return ok;
}

TEST(the_window_is_small_again_after_a_large_event)
{
	static struct bytes_out b;
	static const uint8_t large[6000];
	struct obs_stream s;
	struct findings fs;

	put_event(&b, "OB.", 10, NULL, 0);
	put_jumbo(&b, "6Yc", 20, large, sizeof large);
	put_event(&b, "OB.", 30, NULL, 0);
	CHECK(open_stream(&s, &b, &fs));
	CHECK(obs_stream_next(&s));
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.size, sizeof large);
	CHECK(s.cap > sizeof large);
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.time, 30);
	CHECK_INT(s.cap, WINDOW);
	CHECK(!obs_stream_next(&s));
	CHECK_INT(fs.count[FINDING_WARNING] + fs.count[FINDING_ERROR], 0);
	obs_stream_close(&s);
}

TEST(events_may_lie_across_windows)
{
	static struct bytes_out b;
	static const uint8_t payload[16];
	struct obs_stream s;
	struct findings fs;
	uint32_t n = 0;

	for (; b.n + OBS_EVENT_MAX <= BYTES_ROOM; n++)
		put_event(&b, "OB.", n, payload, n % 15 + 2);
	CHECK(open_stream(&s, &b, &fs));
	for (uint32_t i = 0; i < n; i++) {
		CHECK(obs_stream_next(&s));
		CHECK_INT(s.time, i);
		CHECK_INT(s.size, i % 15 + 2);
	}
	CHECK(!obs_stream_next(&s));
	obs_stream_close(&s);
}

TEST(a_clock_that_jumps_is_one_wherever_the_window_ends)
{
	static struct bytes_out b;
	static const uint8_t large[6000];
	struct obs_stream s;
	struct findings fs;

	for (uint32_t n = WINDOW - 80; n < WINDOW + 40; n++) {
		b.n = 0;
		put_event(&b, "OB.", 10, NULL, 0);
		put_jumbo(&b, "6Yc", 10 + 2 * OBS_JUMP_NS, large, n);
		put_event(&b, "OB.", 30, NULL, 0);
		CHECK(open_stream(&s, &b, &fs));
		CHECK(obs_stream_next(&s) && obs_stream_next(&s));
		CHECK_INT(s.time, 10);
		CHECK_INT(s.data[s.size - 1], 0);
		CHECK(obs_stream_next(&s));
		CHECK_INT(s.time, 30);
		obs_stream_close(&s);
	}
}

TEST(a_clock_near_the_largest_is_not_near_any_other)
{
	static struct bytes_out b;
	struct obs_stream s;
	struct findings fs;
	const int64_t offset = INT64_C(1) << 62;

	put_event(&b, "OB.", 10, NULL, 0);
	put_event(&b, "OB.", 10 + 2 * OBS_JUMP_NS, NULL, 0);
	put_event(&b, "OB.", INT64_MAX - 5, NULL, 0);
	CHECK(open_stream(&s, &b, &fs));
	s.clock_offset = offset;
	CHECK(obs_stream_next(&s));
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.time, offset + 10 + 2 * OBS_JUMP_NS);
	CHECK_INT(fs.count[FINDING_ERROR], 0);
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.time, offset + 10 + 2 * OBS_JUMP_NS);
	CHECK_INT(fs.count[FINDING_ERROR], 1);
	obs_stream_close(&s);
}

TEST(a_clock_never_wraps_around)
{
	static struct bytes_out b;
	static const uint8_t payload[16];
	struct obs_stream s;
	struct findings fs;

	put_event(&b, "OB.", INT64_MAX - 33, NULL, 0);
	put_event(&b, "OB.", (uint64_t)INT64_MIN + 10, NULL, 0);
	for (int i = 0; i < 4; i++) /* more events follow, so that the wrong
	                             * clocks do not end the stream */
		put_event(&b, "OB.", INT64_MAX - 20, payload, 16);
	CHECK(open_stream(&s, &b, &fs));
	CHECK(obs_stream_next(&s));
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.time, INT64_MAX - 33);
	CHECK_INT(fs.count[FINDING_ERROR], 1);
	CHECK(obs_stream_next(&s));
	CHECK_INT(s.time, INT64_MAX - 20);
	obs_stream_close(&s);
}

/* Zeros after a few events: they are one finding, and the position of the
 * stream is where they begin. */
TEST(zeros_end_the_stream_where_they_begin)
{
	static struct bytes_out b;
	struct obs_stream s;
	struct findings fs;
	size_t begin;

	put_event(&b, "OB.", 10, NULL, 0);
	put_event(&b, "OB.", 20, NULL, 0);
	begin = b.n;
	memset(b.at + begin, 0,
		BYTES_ROOM - begin); /* the zeros are longer than two windows */
	b.n = BYTES_ROOM;
	CHECK(open_stream(&s, &b, &fs));
	CHECK(obs_stream_next(&s));
	CHECK(obs_stream_next(&s));
	CHECK(!obs_stream_next(&s));
	CHECK_INT(obs_stream_offset(&s), HEADER + begin);
	CHECK_INT(s.size_bytes, HEADER + b.n);
	CHECK_INT(fs.count[FINDING_WARNING], 1);
	CHECK_INT(fs.count[FINDING_ERROR], 0);
	obs_stream_close(&s);
}

TEST(an_event_whose_clock_zeros_took_is_none)
{
	static struct bytes_out b;
	struct obs_stream s;
	struct findings fs;
	size_t begin;

	put_event(&b, "OB.", INT64_C(1) << 40, NULL, 0);
	begin = b.n;
	put_event(&b, "OB.", (INT64_C(1) << 40) + 5, NULL, 0);
	memset(b.at + begin + 6, 0, 400);
	b.n = begin + 406;
	CHECK(open_stream(&s, &b, &fs));
	CHECK(obs_stream_next(&s));
	CHECK(!obs_stream_next(&s));
	CHECK_INT(obs_stream_offset(&s), HEADER + begin);
	CHECK_INT(fs.count[FINDING_WARNING], 1);
	CHECK_INT(fs.count[FINDING_ERROR], 0);
	obs_stream_close(&s);
}

TEST(a_clock_of_zero_is_a_time)
{
	static struct bytes_out b;
	struct obs_stream s;
	struct findings fs;

	put_event(&b, "OB.", 0, NULL, 0);
	put_event(&b, "OB.", 0, NULL, 0);
	put_event(&b, "OB.", 3, NULL, 0);
	CHECK(open_stream(&s, &b, &fs));
	for (int i = 0; i < 3; i++)
		CHECK(obs_stream_next(&s));
	CHECK(!obs_stream_next(&s));
	CHECK_INT(fs.count[FINDING_WARNING] + fs.count[FINDING_ERROR], 0);
	obs_stream_close(&s);
}

TEST(an_event_whose_clock_zeros_took_is_none_behind_a_clock_of_zero)
{
	static struct bytes_out b;
	struct obs_stream s;
	struct findings fs;
	size_t begin;

	put_event(&b, "OB.", 0, NULL, 0);
	begin = b.n;
	put_event(&b, "OB.", 0, NULL, 0);
	memset(b.at + b.n, 0, 400);
	b.n += 400;
	CHECK(open_stream(&s, &b, &fs));
	CHECK(obs_stream_next(&s));
	CHECK(!obs_stream_next(&s));
	CHECK_INT(obs_stream_offset(&s), HEADER + begin);
	CHECK_INT(fs.count[FINDING_WARNING], 1);
	obs_stream_close(&s);
}

static bool
is_letter(uint32_t c)
{
	return (c & 0xff) >= ' ' && (c & 0xff) < 0x80;
}

TEST(an_event_begins_with_known_flags_and_three_letters)
{
	static const uint8_t edge[] = { 0, 1, ' ' - 1, ' ', '0', '@', 'z', 0x7f,
		0x80, 0x9f, 0xa0, 0xff };
	const uint32_t n = sizeof edge;

	for (uint32_t i = 0; i < 256 * n * n * n; i++) {
		uint32_t flags = i & 0xff;
		uint32_t first = flags | (uint32_t)edge[i / 256 % n] << 8 |
			(uint32_t)edge[i / 256 / n % n] << 16 |
			(uint32_t)edge[i / 256 / n / n] << 24;
		bool letters = is_letter(first >> 8) &&
			is_letter(first >> 16) && is_letter(first >> 24);
		bool jumbo = flags == (OBS_JUMBO | 3);

		CHECK(obs_is_header(first) ==
			(letters && (flags < OBS_JUMBO || jumbo)));
		CHECK(obs_has_letters(first, OBS_UNKNOWN | OBS_JUMBO) ==
			(letters && flags < OBS_JUMBO));
	}
}

TEST_MAIN(RUN(the_window_is_small_again_after_a_large_event),
	RUN(events_may_lie_across_windows),
	RUN(a_clock_that_jumps_is_one_wherever_the_window_ends),
	RUN(a_clock_near_the_largest_is_not_near_any_other),
	RUN(a_clock_never_wraps_around),
	RUN(zeros_end_the_stream_where_they_begin),
	RUN(an_event_whose_clock_zeros_took_is_none),
	RUN(a_clock_of_zero_is_a_time),
	RUN(an_event_whose_clock_zeros_took_is_none_behind_a_clock_of_zero),
	RUN(an_event_begins_with_known_flags_and_three_letters))
