/* SPDX-License-Identifier: MIT */
#include "trace/finding.h"

#include "base/arena.h"
#include "test.h"

static const struct finding nowhere = {
	.offset = FINDING_NOWHERE, .time = FINDING_NEVER, .text = "odd"
};

static void
check_text(struct finding f, const char *want)
{
	char got[200];
	int n = finding_text(&f, got, sizeof got);

	CHECK_STR(got, want);
	CHECK_INT(n, strlen(want));
}

TEST(keeps_the_first_and_counts_all)
{
	struct arena a = { 0 };
	struct findings fs;

	findings_init(&fs, &a, 3);
	for (int i = 0; i < 5; i++)
		finding_file(&fs, FINDING_WARNING, "f", "number %d", i);
	finding_file(&fs, FINDING_ERROR, "f", "last");
	CHECK_INT(fs.list.n, 3);
	CHECK_STR(fs.list.at[0].text, "number 0");
	CHECK_STR(fs.list.at[2].text, "number 2");
	CHECK_INT(fs.count[FINDING_WARNING], 5);
	CHECK_INT(fs.count[FINDING_ERROR], 1);
	CHECK_INT(fs.count[FINDING_NOTE], 0);
	arena_fini(&a);
}

TEST(copies_where)
{
	struct arena a = { 0 };
	struct findings fs;
	char where[] = "thread 1";
	struct finding f = nowhere;

	findings_init(&fs, &a, 3);
	f.where = where;
	finding_add(&fs, f, "odd");
	where[7] = '2';
	CHECK_STR(fs.list.at[0].where, "thread 1");
	arena_fini(&a);
}

TEST(a_file_has_no_offset_and_no_time)
{
	struct arena a = { 0 };
	struct findings fs;

	findings_init(&fs, &a, 1);
	finding_file(&fs, FINDING_NOTE, "a.json", "%s is odd", "x");
	check_text(fs.list.at[0], "a.json: x is odd");
	arena_fini(&a);
}

TEST(text_has_what_is_known)
{
	struct finding f = nowhere;

	check_text(f, "odd");
	f.file = "s.obs";
	check_text(f, "s.obs: odd");
	f.offset = 0;
	check_text(f, "s.obs: byte 0: odd");
	f.by_line = true;
	f.where = "thread 7";
	f.time = 30;
	f.advice = "even it";
	check_text(f, "s.obs: line 0: thread 7: at 30 ns: odd (even it)");
	f.key = "ovni.pid";
	f.offset = FINDING_NOWHERE;
	check_text(f, "s.obs: ovni.pid: thread 7: at 30 ns: odd (even it)");
}

TEST(text_is_cut_at_the_room)
{
	struct finding f = nowhere;
	char got[8] = "xxxxxxx";

	f.file = "stream";
	CHECK_INT(finding_text(&f, got, 6), 11);
	CHECK_STR(got, "strea");
	CHECK_INT(got[6], 'x');
	CHECK_INT(finding_text(&f, NULL, 0), 11);
}

TEST(control_bytes_are_not_shown)
{
	struct finding f = nowhere;

	f.text = "a\n\033[31mb";
	check_text(f, "a??[31mb");
}

TEST(severities_have_names)
{
	CHECK_STR(finding_severity_name(FINDING_NOTE), "note");
	CHECK_STR(finding_severity_name(FINDING_WARNING), "warning");
	CHECK_STR(finding_severity_name(FINDING_ERROR), "error");
}

TEST(those_of_a_kind_are_told_with_the_last_one)
{
	struct arena a = { 0 };
	struct findings fs;
	struct finding f = { .severity = FINDING_ERROR, .file = "s.obs" };

	findings_init(&fs, &a, 10);
	fs.few = 2;
	for (int i = 0; i < 1000; i++) {
		f.offset = 12 * i;
		f.time = i;
		finding_add(&fs, f, "task %d is new", i);
	}
	finding_file(&fs, FINDING_ERROR, "s.obs", "another");
	finding_file(&fs, FINDING_ERROR, "t.obs", "task 7 is new");
	CHECK_INT(fs.list.n, 4);
	CHECK_INT(fs.count[FINDING_ERROR], 1002);
	CHECK_INT(findings_told(&fs), 1002);
	check_text(fs.list.at[0], "s.obs: byte 0: at 0 ns: task 0 is new");
	check_text(fs.list.at[1],
		"s.obs: byte 12: at 1 ns: task 1 is new; 998 more like this, "
		"up to byte 11988, at 999 ns");
	check_text(fs.list.at[2], "s.obs: another");
	check_text(fs.list.at[3], "t.obs: task 7 is new");
	arena_fini(&a);
}

TEST(numbers_are_masked_whole)
{
	char to[FINDING_KIND_MAX + 1];

	CHECK_STR(finding_kind("flags 0x7f are no event", to),
		"flags N are no event");
	CHECK_STR(finding_kind("0X1aF at -0x10, 0xdead-0xbeef", to),
		"N at N, N-N");
	CHECK_STR(finding_kind("(magic 0x0000c1fc)", to), "(magic N)");
	CHECK_STR(finding_kind("at 0 ns: -5 of 10", to), "at N ns: N of N");
	/* "0x of" only begins like a hexadecimal number */
	CHECK_STR(finding_kind("0x of 0xyz", to), "Nx of Nxyz");
	CHECK_STR(finding_kind("nanos6 a0x1f", to), "nanos6 a0x1f");
}

TEST(a_full_list_tells_of_no_other_kind)
{
	struct arena a = { 0 };
	struct findings fs;

	findings_init(&fs, &a, 1);
	fs.few = 1;
	for (int i = 0; i < 5; i++) {
		finding_file(&fs, FINDING_NOTE, "a", "one");
		finding_file(&fs, FINDING_NOTE, "a", "two");
	}
	CHECK_INT(fs.list.n, 1);
	CHECK_INT(fs.count[FINDING_NOTE], 10);
	CHECK_INT(findings_told(&fs), 5);
	check_text(fs.list.at[0], "a: one; 4 more like this");
	arena_fini(&a);
}

TEST_MAIN(RUN(keeps_the_first_and_counts_all), RUN(copies_where),
	RUN(a_file_has_no_offset_and_no_time), RUN(text_has_what_is_known),
	RUN(text_is_cut_at_the_room), RUN(control_bytes_are_not_shown),
	RUN(severities_have_names),
	RUN(those_of_a_kind_are_told_with_the_last_one),
	RUN(numbers_are_masked_whole), RUN(a_full_list_tells_of_no_other_kind))
