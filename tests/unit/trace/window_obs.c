/* SPDX-License-Identifier: MIT */
/* Windows of ovni traces, read with the help of the seek file. */
#include <dirent.h>

#include "base/file.h"
#include "rough_trace.h"
#include "trace/seek.h"
#include "windows.h"

#define STREAMS 4
#define SEEK "t.weft/" SEEK_FILE

#define ROUNDS TEST_ROUNDS(200)

static const struct shape rough = { STREAMS, 1200 << 10, false };

static struct reading whole;

static bool
has_seek_file(void)
{
	return access(SEEK, F_OK) == 0;
}

static void
begin(char dir[64], const struct shape *shape)
{
	scratch_enter(dir);
	write_trace(shape);
	read_all(&whole, "t", "t.weft");
	CHECK(has_seek_file());
}

static void
end(const char *dir)
{
	end_reading(&whole);
	scratch_leave(dir);
}

/* Reads the window of the middle, and tests whether less than the whole file
 * was read. */
static bool
reads_less(void)
{
	struct reading part = { 0 };
	int64_t from = 4000000, to = 4100000;
	bool less;

	read_window(&part, "t", "t.weft", from, to);
	CHECK(is_window(&whole, &part, from, to));
	less = part.read_bytes < part.all_bytes / 2;
	end_reading(&part);
	return less;
}

TEST(a_window_is_the_whole_filtered)
{
	char dir[64];

	begin(dir, &rough);
	CHECK(whole.findings.count[FINDING_ERROR] > 100);
	CHECK(reads_less());
	check_windows("t", "t.weft", &whole, ROUNDS);
	end(dir);
}

TEST(what_is_wrong_before_a_window_is_said_all_the_same)
{
	struct reading want = { 0 }, got = { 0 };
	char dir[64];

	begin(dir, &rough);
	for (int64_t from = 1000000; from < 6000000; from += 555555) {
		read_some(&want, "t", NULL, false, from, from + 50000);
		read_window(&got, "t", "t.weft", from, from + 50000);
		CHECK(got.read_bytes < want.read_bytes);
		check_findings(&want, &got);
	}
	end_reading(&want);
	end_reading(&got);
	end(dir);
}

TEST(a_window_of_a_hundredth_reads_less_than_a_twentieth)
{
	static const struct shape large = { 1, 24 << 20, true };
	struct reading part = { 0 };
	int64_t last, length;
	char dir[64];

	begin(dir, &large);
	last = whole.seen.at[whole.seen.n - 1].time - whole.start;
	length = last / 100;
	for (int64_t from = 0; from < last; from += last / 7) {
		read_window(&part, "t", "t.weft", from, from + length);
		CHECK(is_window(&whole, &part, from, from + length));
		CHECK(part.read_bytes * 20 < part.all_bytes);
	}
	end_reading(&part);
	end(dir);
}

TEST(without_a_seek_file_all_up_to_the_window_is_read)
{
	char dir[64];

	begin(dir, &rough);
	CHECK_INT(unlink(SEEK), 0);
	CHECK(!reads_less());
	CHECK(!has_seek_file());
	/* A window that leaves nothing out equals the whole. */
	read_some(&whole, "t", "t.weft", true, 0, INT64_MAX);
	CHECK(has_seek_file());
	CHECK(reads_less());
	end(dir);
}

static void
append_event(const char *path)
{
	struct writer w = { .f = fopen(path, "ab"), .state = 1 };

	if (w.f == NULL)
		return;
	put_event(&w, "OHe", 2000000000, 0);
	fclose(w.f);
}

/* A byte of the payload of some event in the middle. */
static void
change_byte(const char *path, long offset)
{
	FILE *f = fopen(path, "r+b");

	if (f == NULL)
		return;
	fseek(f, offset, SEEK_SET);
	fputc('Z', f);
	fclose(f);
}

TEST(a_stream_that_changed_is_read_whole)
{
	char dir[64];

	begin(dir, &rough);
	append_event(stream_path(0));
	age(stream_path(0), 5);
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	read_all(&whole, "t", "t.weft");
	CHECK(reads_less());
	/* The change keeps size and inode. */
	change_byte(stream_path(1), 600000);
	age(stream_path(1), 6);
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	/* The change keeps the time of change, too. */
	read_all(&whole, "t", "t.weft");
	change_byte(stream_path(2), 1000);
	age(stream_path(2), 5);
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	end(dir);
}

/* Sets the time of a stream's file, until the file system's clock has ticked.
 */
static void
age_later(const char *path, int hours)
{
	struct stat before = { 0 }, now = { 0 };

	CHECK_INT(stat(path, &before), 0);
	do {
		age(path, hours);
		CHECK_INT(stat(path, &now), 0);
	} while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
		now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

TEST(a_stream_that_changed_and_says_it_did_not_is_read_whole)
{
	char dir[64];

	begin(dir, &rough);
	age_later(stream_path(1), 5);
	read_all(&whole, "t", "t.weft");
	CHECK(reads_less());
	/* Changes bytes far from both ends and from any window, and keeps the
	 * time of change. */
	for (int i = 0; i < 24; i++)
		change_byte(stream_path(1), 100000 + i);
	age_later(stream_path(1), 5);
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	end(dir);
}

TEST(a_stream_that_was_just_changed_has_no_places)
{
	char dir[64];

	begin(dir, &rough);
	CHECK_INT(unlink(SEEK), 0);
	for (int i = 0; i < STREAMS; i++)
		append_event(stream_path(i));
	read_all(&whole, "t", "t.weft");
	CHECK(!has_seek_file());
	end(dir);
}

TEST(a_stream_that_grows_while_it_is_read_has_no_places)
{
	struct source_options options = { .seek = "t.weft" };
	struct reading r = { 0 };
	struct seek_file file;
	struct err err = { 0 };
	struct source *s;
	struct event ev;
	char dir[64];

	begin(dir, &rough);
	CHECK_INT(unlink(SEEK), 0);
	findings_init(&r.findings, &r.arena, 10);
	s = sources_open(&r.arena, "t", &options, &r.findings, &err);
	CHECK(s != NULL);
	if (s != NULL) {
		append_event(stream_path(0));
		while (source_next(s, &ev) == SOURCE_EVENT)
			;
		source_close(s);
	}
	seek_read(&file, &r.arena, "t.weft");
	CHECK_INT(file.streams.n, STREAMS - 1);
	CHECK(seek_find(&file, "loom.h0.0/proc.10/thread.100") == NULL);
	CHECK(seek_find(&file, "loom.h1.0/proc.11/thread.101") != NULL);
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	end_reading(&r);
	end(dir);
}

TEST(other_clock_offsets_are_other_times)
{
	static const struct shape plain = { STREAMS, 1200 << 10, true };
	char dir[64];

	begin(dir, &plain);
	write_text("t/clock-offsets.txt",
		"rank host offset_median offset_mean offset_std\n"
		"0 h0 -777777 0 0\n1 h1 99999 12345 1\n");
	read_all(&whole, "t", NULL);
	CHECK(reads_less());
	check_windows("t", "t.weft", &whole, 20);
	/* Times below 0 are taken as 0. */
	write_text("t/clock-offsets.txt",
		"rank host offset_median offset_mean offset_std\n"
		"0 h0 -1000000007 0 0\n1 h1 -1003000000 0 0\n");
	read_all(&whole, "t", NULL);
	check_windows("t", "t.weft", &whole, 20);
	end(dir);
}

TEST(a_place_that_cannot_be_written_is_no_loss)
{
	struct reading r = { 0 };
	char dir[64];

	begin(dir, &rough);
	CHECK(read_all(&r, "t", "/proc/nowhere/t.weft"));
	CHECK_INT(r.seen.n, whole.seen.n);
	check_findings(&whole, &r);
	/* Through a symbolic link weft could overwrite any file. */
	CHECK_INT(unlink(SEEK), 0);
	write_text("precious", "x");
	CHECK_INT(symlink("../precious", SEEK), 0);
	CHECK(read_all(&r, "t", "t.weft"));
	check_findings(&whole, &r);
	end_reading(&r);
	{
		struct err err = { 0 };
		struct arena a = { 0 };
		size_t n;

		CHECK_STR(file_read(&a, "precious", 10, &n, &err), "x");
		arena_fini(&a);
	}
	end(dir);
}

/* Returns a small file, in the arena. */
static uint8_t *
load(struct arena *a, const char *path, size_t *n)
{
	struct err err = { 0 };

	return (uint8_t *)file_read(a, path, 1 << 20, n, &err);
}

static void
store(const char *path, const uint8_t *data, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL)
		return;
	fwrite(data, 1, n, f);
	fclose(f);
}

/* Updates the sum in the header. */
static void
mend_sum(uint8_t *data, size_t n)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	memset(data + 24, 0, sizeof sum);
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
	memcpy(data + 24, &sum, sizeof sum);
}

static size_t
damage(uint8_t *data, size_t n, uint64_t *state)
{
	size_t at = scratch_random(state) % (n - 8);

	switch (scratch_random(state) % 5) {
	case 0: /* cut */
		return at;
	case 1:
		data[at] ^= (uint8_t)(1 + scratch_random(state) % 255);
		break;
	/* changes a small field, such as an offset or a count, by a little */
	case 2:
		data[at / 8 * 8] = (uint8_t)(data[at / 8 * 8] +
			scratch_random(state) % 64);
		break;
	case 3:
		memset(data + at, (int)(scratch_random(state) % 2 * 255), 8);
		break;
	default:
		for (size_t i = 0; i < 64 && at + i < n; i++)
			data[at + i] = (uint8_t)scratch_random(state);
		break;
	}
	return n;
}

TEST(no_byte_of_a_seek_file_is_trusted)
{
	struct reading part = { 0 };
	struct arena a = { 0 };
	uint64_t state = 99;
	uint8_t *good, *bad;
	char dir[64];
	size_t n, m;
	int wrong = 0;

	begin(dir, &rough);
	good = load(&a, SEEK, &n);
	bad = arena_alloc(&a, n);
	for (int i = 0; i < ROUNDS; i++) {
		int64_t from = (int64_t)(scratch_random(&state) % 6000000);

		memcpy(bad, good, n);
		m = damage(bad, n, &state);
		if (i % 2 == 1 && m > 40)
			mend_sum(bad, m);
		store(SEEK, bad, m);
		read_window(&part, "t", "t.weft", from, from + 30000);
		wrong += !is_window(&whole, &part, from, from + 30000);
	}
	CHECK_INT(wrong, 0);
	end_reading(&part);
	arena_fini(&a);
	end(dir);
}

/* In the other byte order. */
static void
swap_words(uint8_t *data, size_t n)
{
	for (size_t i = 8; i + 8 <= n; i += 8)
		for (int j = 0; j < 4; j++) {
			uint8_t b = data[i + (size_t)j];

			data[i + (size_t)j] = data[i + 7 - (size_t)j];
			data[i + 7 - (size_t)j] = b;
		}
}

/* Moves every listed offset to one byte after the beginning of an event. */
static void
shift_places(uint8_t *data, size_t n)
{
	uint64_t at, count;

	memcpy(&at, data + 40 + 64, sizeof at);
	memcpy(&count, data + 40 + 72, sizeof count);
	CHECK(count > 10);
	for (uint64_t i = 0; i < count; i++)
		data[at + 16 * i]++;
	mend_sum(data, n);
}

TEST(a_seek_file_that_was_refused_is_written_anew)
{
	struct reading r = { 0 };
	struct arena a = { 0 };
	uint8_t *good, *bad, *now;
	char dir[64];
	size_t n, m;

	begin(dir, &rough);
	good = load(&a, SEEK, &n);
	for (int i = 0; i < 4; i++) {
		bad = arena_alloc(&a, n);
		memcpy(bad, good, n);
		if (i == 0)
			swap_words(bad, n);
		else if (i == 1)
			memset(bad, 'x', n);
		else if (i == 2)
			shift_places(bad, n);
		store(SEEK, bad, i == 3 ? n / 2 : n);
		CHECK(reads_less() == (i == 2));
		read_all(&r, "t", "t.weft");
		check_findings(&whole, &r);
		now = load(&a, SEEK, &m);
		CHECK(now != NULL && m == n && memcmp(now, good, n) == 0);
	}
	end_reading(&r);
	arena_fini(&a);
	end(dir);
}

static int
count_files(void)
{
	DIR *dir = opendir("t.weft");
	const struct dirent *d;
	int n = 0;

	while (dir != NULL && (d = readdir(dir)) != NULL)
		n += d->d_name[0] != '.';
	if (dir != NULL)
		closedir(dir);
	return n;
}

TEST(several_may_write_and_read_at_once)
{
	struct reading r = { 0 };
	int status, failed = 0;
	char dir[64];

	begin(dir, &rough);
	for (int i = 0; i < 4; i++) {
		fflush(stdout);
		if (fork() != 0)
			continue;
		for (int j = 0; j < 3; j++) {
			unlink(SEEK);
			read_all(&r, "t", "t.weft");
			read_window(&r, "t", "t.weft", 4000000, 4100000);
			failed += !is_window(&whole, &r, 4000000, 4100000);
		}
		_exit(failed + test_failed);
	}
	for (int i = 0; i < 4; i++) {
		CHECK(wait(&status) > 0);
		CHECK_INT(status, 0);
	}
	CHECK_INT(count_files(), 1);
	CHECK(reads_less());
	end(dir);
}

TEST(a_short_trace_leaves_nothing)
{
	static const struct shape small = { 2, 100 << 10, false };
	char dir[64];

	scratch_enter(dir);
	write_trace(&small);
	read_all(&whole, "t", "t.weft");
	CHECK(access("t.weft", F_OK) != 0);
	check_windows("t", "t.weft", &whole, 20);
	end(dir);
}

TEST_MAIN(RUN(a_window_is_the_whole_filtered),
	RUN(what_is_wrong_before_a_window_is_said_all_the_same),
	RUN(a_window_of_a_hundredth_reads_less_than_a_twentieth),
	RUN(without_a_seek_file_all_up_to_the_window_is_read),
	RUN(a_stream_that_changed_is_read_whole),
	RUN(a_stream_that_changed_and_says_it_did_not_is_read_whole),
	RUN(a_stream_that_was_just_changed_has_no_places),
	RUN(a_stream_that_grows_while_it_is_read_has_no_places),
	RUN(other_clock_offsets_are_other_times),
	RUN(a_place_that_cannot_be_written_is_no_loss),
	RUN(no_byte_of_a_seek_file_is_trusted),
	RUN(a_seek_file_that_was_refused_is_written_anew),
	RUN(several_may_write_and_read_at_once),
	RUN(a_short_trace_leaves_nothing))
