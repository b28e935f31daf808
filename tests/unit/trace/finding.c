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

TEST_MAIN(RUN(keeps_the_first_and_counts_all), RUN(copies_where),
	RUN(a_file_has_no_offset_and_no_time), RUN(text_has_what_is_known),
	RUN(text_is_cut_at_the_room), RUN(control_bytes_are_not_shown),
	RUN(severities_have_names))
