/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "dir.h"
#include "export/csv/csv.h"

static struct sink *
open_csv(struct arena *a, const char *dir)
{
	struct err err = { 0 };

	return sink_csv.open(
		a, dir, &(struct sink_setup){ .unit = "ps" }, &err);
}

TEST(quotes_what_needs_it)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	struct sink *s = open_csv(&a, dir);

	sink_row(s, &(struct row){ 0, ROW_NONE, "a,b", "say \"hi\"", NULL });
	sink_row(s, &(struct row){ 1, ROW_NONE, "cpu", " CPU 0.0", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "a,b",
			.key = "line\nbreak",
			.none = "no, thing" });
	sink_type(s, &(struct type){ .id = 1, .class = "cpu", .key = "n" });
	sink_label(s, 0, 5, "five\r\n", MEANS_UNSAID);
	sink_label(s, 0, 5, "again", MEANS_UNSAID);
	sink_label(s, 1, 0, "zero", MEANS_UNSAID);
	sink_state(s, &(struct record){ .time = 1, .value = 5, .depth = 2 });
	sink_state(s, &(struct record){ .time = 2, .value = VALUE_NONE });
	sink_state(s, &(struct record){ 3, 1, 1, 0, -8, NULL });
	sink_label(s, 1, -8, "late", MEANS_UNSAID);
	sink_state(s, &(struct record){ 3, 1, 1, 0, -8, NULL });
	sink_state(s, &(struct record){ 4, 1, 1, 0, 0, NULL });
	sink_state(s, &(struct record){ 5, 1, 1, 0, VALUE_NONE, NULL });
	CHECK(sink_close(s, &err));
	CHECK_STR(dir_text(&a, dir, "states.csv"),
		"time_ps,class,row,type,value,label,depth\n"
		"1,\"a,b\",\"say \"\"hi\"\"\",\"line\nbreak\",5,"
		"\"five\r\n\",2\n"
		"2,\"a,b\",\"say \"\"hi\"\"\",\"line\nbreak\",,"
		"\"no, thing\",0\n"
		"3,cpu,CPU 0.0,n,-8,,0\n"
		"3,cpu,CPU 0.0,n,-8,late,0\n"
		"4,cpu,CPU 0.0,n,0,zero,0\n"
		"5,cpu,CPU 0.0,n,,,0\n");
	CHECK_INT(dir_remove(&a, dir), 1);
	arena_fini(&a);
}

TEST(links_have_a_file_when_there_are_any)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	struct sink *s = open_csv(&a, dir);

	sink_row(s, &(struct row){ 0, ROW_NONE, "cpu", "a,b", NULL });
	sink_link(s, &(struct link){ 1, 2, 0, ROW_NONE, 3, -4, 512 });
	sink_link(s, &(struct link){ 5, 6, 0, 0, 7, 8, 0 });
	CHECK(sink_close(s, &err));
	CHECK_STR(dir_text(&a, dir, "links.csv"),
		"from_time_ps,from_row,to_time_ps,to_row,kind,id,bytes\n"
		"1,\"a,b\",2,,3,-4,512\n"
		"5,\"a,b\",6,\"a,b\",7,8,0\n");
	CHECK_INT(dir_remove(&a, dir), 2);
	arena_fini(&a);
}

TEST(gaps_have_a_file_when_there_are_any)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	struct sink *s = open_csv(&a, dir);

	sink_row(s, &(struct row){ 0, ROW_NONE, "cpu", "a,b", NULL });
	sink_gap(s, &(struct gap){ 1, 2, 0, 12, "full, or late" });
	sink_gap(s, &(struct gap){ 5, 6, 0, 0, NULL });
	CHECK(sink_close(s, &err));
	CHECK_STR(dir_text(&a, dir, "gaps.csv"),
		"from_time_ps,to_time_ps,row,lost_events,why\n"
		"1,2,\"a,b\",12,\"full, or late\"\n"
		"5,6,\"a,b\",0,\n");
	CHECK_INT(dir_remove(&a, dir), 2);
	arena_fini(&a);
}

TEST_MAIN(RUN(quotes_what_needs_it), RUN(links_have_a_file_when_there_are_any),
	RUN(gaps_have_a_file_when_there_are_any))
