/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <time.h>

#include "base/log.h"
#include "scratch.h"
#include "test.h"

static const char *
text_of(uint64_t total, double seconds, uint64_t done, uint64_t count)
{
	static char text[200];
	struct progress p = { .what = "emu", .unit = "events", .total = total };

	progress_text(&p, seconds, done, count, text, sizeof text);
	return text;
}

TEST(shows_bar_share_rate_and_time_left)
{
	CHECK_STR(text_of(100, 3.0, 52, 42300000),
		"emu  [########........]  52 %  14.1 M events/s  3 s left");
	CHECK_STR(text_of(100, 0, 0, 0), "emu  [................]   0 %");
	CHECK_STR(text_of(100, 2, 0, 0),
		"emu  [................]   0 %  0 events/s");
	CHECK_STR(text_of(100, 2, 100, 1900),
		"emu  [################]  100 %  950 events/s  0 s left");
	CHECK_STR(text_of(100, 2, 300, 1900),
		"emu  [################]  100 %  950 events/s  0 s left");
	CHECK_STR(text_of(0, 12.5, 300, 25000), "emu  2.0 k events/s  12 s");
}

TEST(time_left_is_in_readable_units)
{
	CHECK_STR(text_of(1000, 10, 250, 9999990),
		"emu  [####............]  25 %  1.0 M events/s  30 s left");
	CHECK_STR(text_of(1000, 65, 500, 65),
		"emu  [########........]  50 %  1 events/s  1 min 05 s left");
	CHECK_STR(text_of(1000, 3720, 500, 3720000000000),
		"emu  [########........]  50 %  1.0 G events/s  1 h 02 min "
		"left");
	CHECK_STR(text_of(UINT64_MAX, 10, 1, 10),
		"emu  [................]   0 %  1 events/s");
}

TEST(a_text_is_cut_at_its_room)
{
	struct progress p = { .what = "emu", .unit = "events", .total = 10 };
	char text[200];

	for (int room = 1; room < 80; room++) {
		memset(text, '~', sizeof text);
		progress_text(&p, 3, 5, 1000, text, room);
		CHECK(memchr(text, '\0', (size_t)room) != NULL);
		CHECK(text[room] == '~');
	}
}

static void
work(void)
{
	struct timespec pause = { 0, 2000000 };
	struct progress p;

	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	progress_start(&p, "emu", "events", 125);
	for (uint64_t i = 0; i < 125; i++) {
		progress_step(&p, i, i * 1000);
		if (i == 100)
			log_warning("w");
		nanosleep(&pause, NULL);
	}
	progress_end(&p);
}

/* Returns how often the text contains the needle. */
static int
count(const char *text, const char *needle)
{
	int n = 0;

	while ((text = strstr(text, needle)) != NULL) {
		text += strlen(needle);
		n++;
	}
	return n;
}

TEST(draws_at_most_ten_times_a_second)
{
	char text[4000];
	struct timespec from, to;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &from);
	if (scratch_terminal(work, text, sizeof text) < 0)
		TEST_SKIP("no terminal to be had");
	clock_gettime(CLOCK_MONOTONIC, &to);
	seconds = (double)(to.tv_sec - from.tv_sec) +
		(double)(to.tv_nsec - from.tv_nsec) / 1e9;
	CHECK(count(text, "emu  [") >= 1);
	CHECK(count(text, "emu  [") <= (int)(seconds * 10));
	/* The warning is on a line of its own, and the last line is cleared. */
	CHECK(strstr(text, "\r\033[Kweft: warning: w\r\n") != NULL);
	CHECK(strcmp(text + strlen(text) - 4, "\r\033[K") == 0 ||
		strcmp(text + strlen(text) - 2, "\r\n") == 0);
}

TEST(is_silent_in_a_pipe)
{
	char text[1000];

	CHECK_INT(scratch_child(work, text, sizeof text), 0);
	CHECK_STR(text, "weft: warning: w\n");
}

TEST_MAIN(RUN(shows_bar_share_rate_and_time_left),
	RUN(time_left_is_in_readable_units), RUN(a_text_is_cut_at_its_room),
	RUN(draws_at_most_ten_times_a_second), RUN(is_silent_in_a_pipe))
