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
	sink_row(b->s, &(struct row){ id, ROW_NONE, class, name, NULL });
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
	CHECK_STR(b.losses, "1 exact values above 2^53, which Paraver rounds;");
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
	sink_link(b.s, &(struct link){ 3, 4, 0, 1, 1, 1, 0 });
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
	sink_link(b.s, &(struct link){ 7, 19, 2, 0, 5, 6, 0 });
	sink_link(b.s, &(struct link){ 8, 9, 0, 1, 5, 6, 0 });
	sink_link(b.s, &(struct link){ 8, 9, ROW_NONE, 1, 5, 6, 0 });
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "thread.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000019_ns:0:1:1(2:1)\n"
		"3:0:1:1:2:7:7:0:1:1:1:19:19:6:5\n");
	CHECK_STR(b.losses,
		"2 links between rows of different classes;"
		"1 timelines without a record (cpu);");
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
	sink_link(b.s, &(struct link){ 2000, 2500, 0, 0, 1, 1, 0 });
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
	CHECK_STR(b.losses,
		"4 exact times, which were rounded down from ps to ns;");
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
	sink_label(b.s, 1, 12345, "long", MEANS_UNSAID);
	sink_label(b.s, 1, 2, "two\nlines", MEANS_UNSAID);
	sink_label(b.s, 1, 2, "again", MEANS_UNSAID);
	sink_label(b.s, 1, INT64_C(1) << 40, "wide", MEANS_UNSAID);
	sink_label(b.s, 2, 0, "zero", MEANS_UNSAID);
	state(&b, 0, 0, 0, 1);
	CHECK(bench_close(&b));
	pcf = strstr(dir_text(&b.a, b.dir, "cpu.pcf"), "22  {");
	CHECK_STR(pcf,
		"22  { 60, 150, 180}\n"
		"\n\nEVENT_TYPE\n0 6400017    Sub system \nVALUES\n"
		"0    No subsystem\n12345 long\n2    two lines\n"
		""
		"\n\nEVENT_TYPE\n0 3          Own zero\nVALUES\n0    zero\n");
	CHECK_STR(b.losses,
		"1 labels of values that do not fit in Paraver's 32 bits;");
	bench_fini(&b);
}

/* Every kind of line is long enough to flush the buffer many times. */
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
	sink_link(b.s, &(struct link){ 0, 0, 0, 0, 0, 0, 0 });
	CHECK(!sink_close(b.s, &err));
	CHECK_STR(err.text, "the class \"../up\" cannot be the name of a file");
	CHECK_INT(dir_remove(&b.a, b.dir), 0);
	arena_fini(&b.a);
}

static void
placed_row(struct bench *b, uint32_t id, const char *class, const char *name,
	const struct row_identity *place)
{
	sink_row(b->s, &(struct row){ id, ROW_NONE, class, name, place });
}

/* The header has the CPUs of each node, the rows of a node are a task, and each
 * record of a CPU's row names the CPU. */
TEST(nodes_and_cpus_are_declared)
{
	struct row_identity a0 = { "a", -1, -1, 7 }, a1 = { "a", -1, -1, 9 },
			    b0 = { "b", -1, -1, 0 }, any = { "a", -1, -1, -1 },
			    ta = { "a", 10, 11, -1 }, tb = { "b", 10, 12, -1 };
	struct bench b;

	bench_open(&b, &plain);
	placed_row(&b, 0, "thread", "TH 1.11", &ta);
	placed_row(&b, 1, "thread", "TH 1.12", &tb);
	placed_row(&b, 2, "cpu", " CPU 0.7", &a0);
	placed_row(&b, 3, "cpu", " CPU 0.9", &a1);
	placed_row(&b, 4, "cpu", "vCPU 0.*", &any);
	placed_row(&b, 5, "cpu", " CPU 1.0", &b0);
	type(&b, 0, "cpu", 1, "One");
	type(&b, 1, "thread", 2, "Two");
	for (uint32_t r = 2; r < 6; r++)
		state(&b, r, r, 0, 1);
	state(&b, 6, 1, 1, 1);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "cpu.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000006_ns:2(2,1):1:2(3:1,1:2)\n"
		"2:1:1:1:1:2:1:1\n"
		"2:2:1:1:2:3:1:1\n"
		"2:0:1:1:3:4:1:1\n"
		"2:3:1:2:1:5:1:1\n");
	CHECK_STR(dir_text(&b.a, b.dir, "thread.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000006_ns:2(2,1):1:2(1:1,1:2)\n"
		"2:0:1:2:1:6:2:1\n");
	CHECK_STR(dir_text(&b.a, b.dir, "cpu.row"),
		"LEVEL CPU SIZE 3\nCPU 0.7\nCPU 0.9\nCPU 1.0\n\n"
		"LEVEL NODE SIZE 2\na\nb\n\nLEVEL TASK SIZE 2\na\nb\n\n"
		"LEVEL THREAD SIZE 4\n CPU 0.7\n CPU 0.9\nvCPU 0.*\n"
		" CPU 1.0\n");
	bench_fini(&b);
}

/* The numbers that would follow a node's rows belong to the next node already.
 */
TEST(a_late_cpu_of_an_earlier_node_has_no_number)
{
	struct row_identity a0 = { "a", -1, -1, 0 }, b0 = { "b", -1, -1, 0 },
			    a1 = { "a", -1, -1, 1 };
	struct bench b;

	bench_open(&b, &plain);
	placed_row(&b, 0, "cpu", "A0", &a0);
	placed_row(&b, 1, "cpu", "B0", &b0);
	placed_row(&b, 2, "cpu", "A1", &a1);
	type(&b, 0, "cpu", 1, "One");
	for (uint32_t r = 0; r < 3; r++)
		state(&b, r, r, 0, 1);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "cpu.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000002_ns:2(1,1):1:2(2:1,1:2)\n"
		"2:1:1:1:1:0:1:1\n"
		"2:2:1:2:1:1:1:1\n"
		"2:0:1:1:2:2:1:1\n");
	bench_fini(&b);
}

TEST(numbers_that_paraver_rounds_are_counted)
{
	int64_t max = INT64_C(1) << 53;
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 10, "title");
	state(&b, 20000, 0, 0, max);
	state(&b, 20001, 0, 0, -max);
	state(&b, 20002, 0, 0, max + 1);
	state(&b, 20003, 0, 0, -max - 1);
	state(&b, 20004, 0, 0, 1);
	state(&b, max - 1, 0, 0, 2);
	state(&b, max, 0, 0, 1);
	state(&b, max + 1, 0, 0,
		2); /* the time is too large to be exact; the value is small */
	state(&b, max + 2, 0, 0, 1);
	CHECK(bench_close(&b));
	CHECK_STR(b.losses, "4 exact values above 2^53, which Paraver rounds;");
	bench_fini(&b);
}

TEST(links_that_paraver_rounds_are_counted)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 10, "title");
	sink_link(b.s, &(struct link){ .from_time = 1, .to_time = 2, .id = 3 });
	sink_link(b.s,
		&(struct link){ .from_time = 1,
			.to_time = 2,
			.id = (INT64_C(1) << 53) + 1 });
	CHECK(bench_close(&b));
	CHECK_STR(b.losses, "1 exact values above 2^53, which Paraver rounds;");
	bench_fini(&b);
}

/* A file that an earlier run left is not taken for output of this run. */
TEST(an_output_without_a_record_has_files_without_lines)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "cpu.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000000000_ns:0:1:1(1:1)\n");
	CHECK(strcmp(dir_text(&b.a, b.dir, "cpu.row"), "(missing)") != 0);
	bench_fini(&b);
}

TEST(a_timeline_without_a_record_is_not_written)
{
	static const char *const files[] = { "system.prv", "system.pcf",
		"system.row" };
	struct bench b;

	bench_open(&b, &plain);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		fclose(fopen(
			arena_printf(&b.a, "%s/%s", b.dir, files[i]), "w"));
	row(&b, 0, "cpu", "A");
	row(&b, 1, "system", "S");
	type(&b, 0, "cpu", 10, "title");
	type(&b, 1, "system", 11, "title");
	state(&b, 0, 0, 0, 1);
	CHECK(bench_close(&b));
	CHECK_STR(b.losses, "1 timelines without a record (system);");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		CHECK_STR(dir_text(&b.a, b.dir, files[i]), "(missing)");
	CHECK(strcmp(dir_text(&b.a, b.dir, "cpu.pcf"), "(missing)") != 0);
	bench_fini(&b);
}

/* Otherwise a 0 could remove from Paraver's stack a value that another type has
 * pushed. */
TEST(layered_values_push_and_pop_in_pairs)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	for (uint32_t i = 0; i < 2; i++)
		sink_type(b.s,
			&(struct type){ .id = i,
				.class = "cpu",
				.key = "key",
				.title = "title",
				.number = 10 + i,
				.layered = true });
	type(&b, 2, "cpu", 20, "other");
	state(&b, 0, 0, 0, VALUE_NONE); /* nothing was shown before, so this
	                                 * writes no record */
	state(&b, 0, 0, 1, VALUE_NONE);
	state(&b, 1, 0, 1, 5); /* the outer type of this time: its value is
	                        * written first */
	state(&b, 1, 0, 0, 1);
	state(&b, 1, 0, 2, 9);
	state(&b, 2, 0, 1, 6); /* a change */
	state(&b, 3, 0, 1, 6); /* the value stays, so this writes no record */
	state(&b, 4, 0, 0, VALUE_NONE); /* the inner type ends before the outer
	                                 * one changes */
	state(&b, 4, 0, 1, 7);
	state(&b, 5, 0, 1,
		VALUE_NONE); /* b ends and begins at one time, so 0 ns long */
	state(&b, 5, 0, 1, 8);
	CHECK(bench_close(&b));
	CHECK_STR(strchr(dir_text(&b.a, b.dir, "cpu.prv"), '\n') + 1,
		"2:0:1:1:1:1:20:9\n"
		"2:0:1:1:1:1:10:1\n"
		"2:0:1:1:1:1:11:5\n"
		"2:0:1:1:1:2:11:0\n"
		"2:0:1:1:1:2:11:6\n"
		"2:0:1:1:1:4:11:0\n"
		"2:0:1:1:1:4:10:0\n"
		"2:0:1:1:1:4:11:7\n"
		"2:0:1:1:1:5:11:0\n"
		"2:0:1:1:1:5:11:8\n");
	bench_fini(&b);
}

/* Paraver knows no ps. */
TEST(ps_are_written_as_ns_if_asked)
{
	struct bench b;

	bench_open(&b, &(struct sink_setup){ .unit = "ps", .ps_as_ns = true });
	row(&b, 0, "component", "A");
	type(&b, 0, "component", 90, "Task");
	state(&b, 1, 0, 0, 1);
	state(&b, 999, 0, 0, VALUE_NONE);
	sink_advance(b.s, 1001);
	CHECK(bench_close(&b));
	CHECK_STR(dir_text(&b.a, b.dir, "component.prv"),
		"#Paraver (19/01/38 at 03:14):"
		"00000000000000001001_ns:0:1:1(1:1)\n"
		"2:0:1:1:1:1:90:1\n"
		"2:0:1:1:1:999:90:0\n");
	CHECK_STR(b.losses, "1 units of times in ps, which are read as ns;");
	CHECK(strstr(dir_text(&b.a, b.dir, "cfg/component/key.cfg"),
		      "window_name Task (1 ns here is 1 ps)\n") != NULL);
	bench_fini(&b);
}

/* Views find types by title. */
TEST(titles_are_unique)
{
	struct bench b;
	const char *pcf;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 10, "same");
	type(&b, 1, "cpu", 11, "same");
	type(&b, 2, "cpu", 12, " ");
	state(&b, 0, 0, 0, 1);
	CHECK(bench_close(&b));
	pcf = dir_text(&b.a, b.dir, "cpu.pcf");
	CHECK(strstr(pcf, "\n0 10         same\n") != NULL);
	CHECK(strstr(pcf, "\n0 11         same (11)\n") != NULL);
	CHECK(strstr(pcf, "\n0 12         key\n") != NULL);
	bench_fini(&b);
}

/* Otherwise the legend says "value 0". */
TEST(labelled_types_label_0)
{
	struct bench b;

	bench_open(&b, &plain);
	row(&b, 0, "cpu", "A");
	type(&b, 0, "cpu", 10, "labels");
	type(&b, 1, "cpu", 11, "none");
	sink_label(b.s, 0, 3, "three", MEANS_IO);
	state(&b, 0, 0, 0, 1);
	CHECK(bench_close(&b));
	CHECK_STR(strstr(dir_text(&b.a, b.dir, "cpu.pcf"), "EVENT_TYPE"),
		"EVENT_TYPE\n0 10         labels\nVALUES\n0    None\n"
		"3    three\n\n\n"
		"EVENT_TYPE\n0 11         none\nVALUES\n");
	bench_fini(&b);
}

TEST_MAIN(RUN(an_output_without_a_record_has_files_without_lines),
	RUN(a_timeline_without_a_record_is_not_written),
	RUN(numbers_that_paraver_rounds_are_counted),
	RUN(links_that_paraver_rounds_are_counted),
	RUN(nodes_and_cpus_are_declared),
	RUN(a_late_cpu_of_an_earlier_node_has_no_number),
	RUN(layered_values_push_and_pop_in_pairs),
	RUN(ps_are_written_as_ns_if_asked), RUN(titles_are_unique),
	RUN(labelled_types_label_0), RUN(writes_one_file_a_class),
	RUN(joins_values_of_one_time_and_row), RUN(links_stay_inside_a_class),
	RUN(header_has_room_for_rows_that_come_later),
	RUN(unannounced_rows_take_a_zero_of_the_duration),
	RUN(picoseconds_are_rounded_down_and_counted),
	RUN(labels_end_in_the_pcf), RUN(long_files_are_whole),
	RUN(a_class_is_never_a_path))
