/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "dir.h"
#include "export/prv/prv.h"

static const struct sink_setup plain = { .unit = "ns" };

struct bench {
	struct arena a;
	const char *dir;
	struct sink *s;
	uint64_t lost;
	char losses[500];
};

static void
bench_open(struct bench *b, const struct sink_setup *setup)
{
	struct err err = { 0 };

	*b = (struct bench){ .dir = NULL };
	b->dir = dir_make(&b->a);
	b->s = sink_prv.open(&b->a, b->dir, setup, &err);
}

static void
one_loss(void *arg, const struct loss *loss)
{
	struct bench *b = arg;
	size_t at = strlen(b->losses);

	snprintf(b->losses + at, sizeof b->losses - at, "%llu %s;",
		(unsigned long long)loss->count, loss->what);
}

static bool
bench_close(struct bench *b)
{
	struct err err = { 0 };
	bool ok = sink_close(b->s, &err);

	if (!ok)
		printf("# %s\n", err.text);
	sink_loss(b->s, one_loss, b);
	return ok;
}

static void
bench_fini(struct bench *b)
{
	dir_remove(&b->a, b->dir);
	arena_fini(&b->a);
}

static void
row(struct bench *b, uint32_t id, const char *class, const char *name)
{
	sink_row(b->s, &(struct row){ id, ROW_NONE, class, name });
}

static void
type(struct bench *b, uint32_t id, const char *class, int64_t number,
	const char *title)
{
	sink_type(b->s,
		&(struct type){ .id = id,
			.class = class,
			.key = "key",
			.title = title,
			.number = number });
}

static void
state(struct bench *b, int64_t time, uint32_t r, uint32_t t, int64_t value)
{
	sink_state(b->s,
		&(struct record){
			.time = time, .row = r, .type = t, .value = value });
}

TEST(writes_one_file_a_class)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "thread", "TH 1.10");
	row(&b, 1, "cpu", " CPU 0.0");
	row(&b, 2, "thread", "TH 1.11");
	type(&b, 0, "thread", 4, "Thread: thread state");
	type(&b, 1, "cpu", 6400010, "CPU: code");
	type(&b, 2, "thread", 37, "Subsystem");
	state(&b, 0, 0, 0, 1);
	state(&b, 0, 2, 2, VALUE_NONE);
	state(&b, 5, 1, 1, -7);
	state(&b, 1234567890123, 2, 0, INT64_MAX);
	sink_advance(b.s, 1234567890200);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "thread.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000001234567890200_ns:0:1:1(2:1)\n"
		"2:0:1:1:1:0:4:1\n"
		"2:0:1:1:2:0:37:0\n"
		"2:0:1:1:2:1234567890123:4:9223372036854775807\n");
	CHECK_STR(dir_text(&b.a, b.dir, "cpu.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000001234567890200_ns:0:1:1(1:1)\n"
		"2:0:1:1:1:5:6400010:-7\n");
	CHECK_STR(dir_text(&b.a, b.dir, "thread.row"),
		"LEVEL NODE SIZE 1\nhostname\n\nLEVEL THREAD SIZE 2\n"
		"TH 1.10\nTH 1.11\n");
	CHECK_STR(b.losses, "");
	bench_fini(&b);
}

TEST(joins_values_of_one_time_and_row)
{
	struct bench b;

	bench_open(&b, &(struct sink_setup){ .unit = "ns", .join = true });
	row(&b, 0, "trace", "A");
	row(&b, 1, "trace", "B");
	type(&b, 0, "trace", 1, "one");
	type(&b, 1, "trace", 2, "two");
	state(&b, 3, 0, 0, 10);
	state(&b, 3, 0, 1, 20);
	state(&b, 3, 1, 0, 30);
	state(&b, 3, 0, 0, 40);
	sink_link(b.s, &(struct link){ 3, 4, 0, 1, 1, 1 });
	state(&b, 3, 0, 1, 50);
	state(&b, 4, 0, 1, 60);
	state(&b, 4, 0, 0, 70);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "trace.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000004_ns:0:1:1(2:1)\n"
		"2:0:1:1:1:3:1:10:2:20\n"
		"2:0:1:1:2:3:1:30\n"
		"2:0:1:1:1:3:1:40\n"
		"3:0:1:1:1:3:3:0:1:1:2:4:4:1:1\n"
		"2:0:1:1:1:3:2:50\n"
		"2:0:1:1:1:4:2:60:1:70\n");
	bench_fini(&b);
}

TEST(links_stay_inside_a_class)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "thread", "A");
	row(&b, 1, "cpu", "B");
	row(&b, 2, "thread", "C");
	sink_link(b.s, &(struct link){ 7, 19, 2, 0, 5, 6 });
	sink_link(b.s, &(struct link){ 8, 9, 0, 1, 5, 6 });
	sink_link(b.s, &(struct link){ 8, 9, ROW_NONE, 1, 5, 6 });
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "thread.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000019_ns:0:1:1(2:1)\n"
		"3:0:1:1:2:7:7:0:1:1:1:19:19:6:5\n");
	CHECK_STR(b.losses, "2 links between rows of different classes;");
	bench_fini(&b);
}

TEST(header_has_room_for_rows_that_come_later)
{
	struct bench b;

	bench_open(&b, &(struct sink_setup){ .unit = "ns", .rows_grow = true });
	row(&b, 0, "task", "A");
	type(&b, 0, "task", 1, "one");
	state(&b, 1, 0, 0, 1);
	for (uint32_t i = 1; i < 12; i++)
		row(&b, i, "task", "B");
	state(&b, 2, 11, 0, 2);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "task.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000002_ns:0:1:1(0000000012:1)\n"
		"2:0:1:1:1:1:1:1\n"
		"2:0:1:1:12:2:1:2\n");
	bench_fini(&b);
}

TEST(unannounced_rows_take_a_zero_of_the_duration)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "task", "A");
	type(&b, 0, "task", 1, "one");
	state(&b, 1, 0, 0, 1);
	for (uint32_t i = 1; i < 12; i++)
		row(&b, i, "task", "B");
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "task.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"0000000000000000001_ns:0:1:1(12:1)\n"
		"2:0:1:1:1:1:1:1\n");
	bench_fini(&b);
}

TEST(picoseconds_are_rounded_down_and_counted)
{
	struct bench b;

	bench_open(&b, &(struct sink_setup){ .unit = "ps" });
	row(&b, 0, "component", "A");
	type(&b, 0, "component", 1, "one");
	state(&b, 1000, 0, 0, 1);
	state(&b, 1001, 0, 0, 2);
	state(&b, 1999, 0, 0, 3);
	state(&b, 1999, 0, 0, 4);
	sink_link(b.s, &(struct link){ 2000, 2500, 0, 0, 1, 1 });
	state(&b, 3000, 0, 0, 5);
	sink_advance(b.s, 9999);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "component.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000009_ns:0:1:1(1:1)\n"
		"2:0:1:1:1:1:1:1\n"
		"2:0:1:1:1:1:1:2\n"
		"2:0:1:1:1:1:1:3\n"
		"2:0:1:1:1:1:1:4\n"
		"3:0:1:1:1:2:2:0:1:1:1:2:2:1:1\n"
		"2:0:1:1:1:3:1:5\n");
	CHECK_STR(b.losses, "4 times rounded down from ps to ns;");
	bench_fini(&b);
}

TEST(labels_end_in_the_pcf)
{
	struct bench b;
	const char *pcf;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 1, NULL);
	sink_type(b.s,
		&(struct type){ .id = 1,
			.class = "cpu",
			.key = "k",
			.title = "Sub\nsystem ",
			.none = "No subsystem",
			.number = 6400017 });
	sink_type(b.s,
		&(struct type){ .id = 2,
			.class = "cpu",
			.key = "k",
			.title = "Own zero",
			.none = "none",
			.number = 3 });
	sink_label(b.s, 1, 12345, "long");
	sink_label(b.s, 1, 2, "two\nlines");
	sink_label(b.s, 1, 2, "again");
	sink_label(b.s, 1, INT64_C(1) << 40, "wide");
	sink_label(b.s, 2, 0, "zero");
	CHECK(bench_close(&b));
	pcf = strstr(dir_text(&b.a, b.dir, "cpu.pcf"), "22  {");
	CHECK_STR(pcf,
		"22  {  0,   0, 255}\n"
		"\n\nEVENT_TYPE\n0 6400017    Sub system \nVALUES\n"
		"0    No subsystem\n12345 long\n2    two lines\n"
		"1099511627776 wide\n"
		"\n\nEVENT_TYPE\n0 3          Own zero\nVALUES\n0    zero\n");
	CHECK_STR(b.losses, "1 labels of values that Paraver cannot hold;");
	bench_fini(&b);
}

/* Long enough for many flushes of the buffer, on every kind of line. */
TEST(long_files_are_whole)
{
	struct bench b;
	const char *at;
	int lines = 0, n = 200000;

	bench_open(&b, &(struct sink_setup){ .unit = "ns", .join = true });
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 1, "t");
	for (int i = 0; i < n; i++) {
		state(&b, i, 0, 0, i);
		if (i % 3 == 0)
			state(&b, i, 0, 0, i + 1);
	}
	CHECK(bench_close(&b));
	at = strchr(dir_text(&b.a, b.dir, "cpu.prv"), '\n') + 1;
	for (char want[80]; lines < n && *at != '\0'; lines++) {
		int i = lines;
		int size = i % 3 == 0
			? snprintf(want, sizeof want,
				  "2:0:1:1:1:%d:1:%d:1:%d\n", i, i, i + 1)
			: snprintf(want, sizeof want, "2:0:1:1:1:%d:1:%d\n", i,
				  i);

		if (strncmp(at, want, (size_t)size) != 0)
			break;
		at += size;
	}
	CHECK_INT(lines, n);
	CHECK_STR(at, "");
	bench_fini(&b);
}

TEST(a_class_is_never_a_path)
{
	struct bench b;
	struct err err = { 0 };

	bench_open(&b, &plain);
	type(&b, 0, "../up", 1, "t");
	row(&b, 0, "../up", "A");
	state(&b, 1, 0, 0, 1);
	sink_link(b.s, &(struct link){ 0, 0, 0, 0, 0, 0 });
	CHECK(!sink_close(b.s, &err));
	CHECK_STR(err.text, "the class \"../up\" cannot be the name of a file");
	CHECK_INT(dir_remove(&b.a, b.dir), 0);
	arena_fini(&b.a);
}

TEST_MAIN(RUN(writes_one_file_a_class), RUN(joins_values_of_one_time_and_row),
	RUN(links_stay_inside_a_class),
	RUN(header_has_room_for_rows_that_come_later),
	RUN(unannounced_rows_take_a_zero_of_the_duration),
	RUN(picoseconds_are_rounded_down_and_counted),
	RUN(labels_end_in_the_pcf), RUN(long_files_are_whole),
	RUN(a_class_is_never_a_path))
