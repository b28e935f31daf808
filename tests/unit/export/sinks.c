/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "dir.h"
#include "export/prv/prv.h"
#include "export/sinks.h"

static const struct sink_setup plain = { .unit = "ns", .title = "t" };

static void
small_trace(struct sink *s)
{
	sink_row(s, &(struct row){ 0, ROW_NONE, "cpu", "A", NULL });
	sink_type(
		s, &(struct type){ .class = "cpu", .key = "k", .title = "T" });
	sink_label(s, 0, 1, "one", MEANS_UNSAID);
	sink_state(s, &(struct record){ .time = 1, .value = 1 });
	sink_link(s, &(struct link){ 1, 2, 0, 0, 3, 4, 0 });
	sink_advance(s, 10);
}

TEST(every_sink_is_complete)
{
	CHECK(sinks[0] != NULL);
	for (int i = 0; sinks[i] != NULL; i++) {
		const struct sink_ops *ops = sinks[i];

		CHECK(ops->name != NULL && ops->name[0] != '\0');
		CHECK(strpbrk(ops->name, ", ") == NULL);
		CHECK(ops->help != NULL && ops->help[0] != '\0');
		CHECK(strlen(ops->help) < 70);
		CHECK(ops->open != NULL && ops->state != NULL);
		CHECK(ops->close != NULL);
	}
}

TEST(every_sink_takes_a_run_without_records)
{
	int open = dir_descriptors();

	for (int i = 0; sinks[i] != NULL; i++) {
		struct arena a = { 0 };
		struct err err = { 0 };
		const char *dir = dir_make(&a);
		struct sink *s = sinks[i]->open(&a, dir, &plain, &err);

		CHECK(s != NULL && s->ops == sinks[i]);
		CHECK(sink_close(s, &err));
		if (err.kind != ERR_NONE)
			printf("# %s: %s\n", sinks[i]->name, err.text);
		dir_remove(&a, dir);
		arena_fini(&a);
	}
	CHECK_INT(dir_descriptors(), open);
}

TEST(every_sink_takes_rows_without_records)
{
	for (int i = 0; sinks[i] != NULL; i++) {
		struct arena a = { 0 };
		struct err err = { 0 };
		const char *dir = dir_make(&a);
		struct sink *s = sinks[i]->open(&a, dir, &plain, &err);

		sink_row(s, &(struct row){ 0, ROW_NONE, "cpu", "A", NULL });
		sink_type(s, &(struct type){ .class = "none", .key = "k" });
		sink_advance(s, 5);
		CHECK(sink_close(s, &err));
		if (err.kind != ERR_NONE)
			printf("# %s: %s\n", sinks[i]->name, err.text);
		CHECK(dir_remove(&a, dir) > 0);
		arena_fini(&a);
	}
}

TEST(an_unknown_name_lists_those_that_exist)
{
	struct arena a = { 0 };
	struct err err = { 0 }, empty = { 0 };

	CHECK(sinks_open(&a, "prv,pvr", "/nowhere", &plain, &err) == NULL);
	CHECK(strstr(err.text, "\"pvr\"") != NULL);
	for (int i = 0; sinks[i] != NULL; i++)
		CHECK(strstr(err.text, sinks[i]->name) != NULL);
	CHECK(!file_is_dir("/nowhere"));
	CHECK(sinks_open(&a, "prv,", "/nowhere", &plain, &empty) == NULL);
	CHECK(strstr(empty.text, "\"\"") != NULL);
	arena_fini(&a);
}

TEST(one_name_needs_no_wrapper)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	struct sink *s = sinks_open(&a, "csv,csv", dir, &plain, &err);

	CHECK_STR(s->ops->name, "csv");
	CHECK(sink_close(s, &err));
	dir_remove(&a, dir);
	arena_fini(&a);
}

TEST(several_names_all_get_everything)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *one = dir_make(&a), *all = dir_make(&a);
	const char *sub = arena_printf(&a, "%s/new/folder", all);
	struct sink *s;

	s = sinks_open(&a, "prv", one, &plain, &err);
	small_trace(s);
	CHECK(sink_close(s, &err));
	s = sinks_open(&a, "csv", one, &plain, &err);
	small_trace(s);
	CHECK(sink_close(s, &err));
	s = sinks_open(&a, "prv,csv", sub, &plain, &err);
	small_trace(s);
	CHECK(sink_close(s, &err));
	CHECK_STR(dir_text(&a, sub, "cpu.prv"), dir_text(&a, one, "cpu.prv"));
	CHECK_STR(dir_text(&a, sub, "cpu.pcf"), dir_text(&a, one, "cpu.pcf"));
	CHECK_STR(dir_text(&a, sub, "states.csv"),
		dir_text(&a, one, "states.csv"));
	CHECK_STR(
		dir_text(&a, sub, "links.csv"), dir_text(&a, one, "links.csv"));
	CHECK_INT(dir_remove(&a, sub), dir_remove(&a, one));
	rmdir(arena_printf(&a, "%s/new", all));
	dir_remove(&a, all);
	arena_fini(&a);
}

TEST(failure_of_one_is_reported_and_the_others_finish)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *dir = dir_make(&a);
	int open = dir_descriptors();
	struct sink *s = sinks_open(&a, "prv,csv", dir, &plain, &err);

	sink_row(s, &(struct row){ 0, ROW_NONE, "not/a/name", "A", NULL });
	sink_type(s, &(struct type){ .class = "not/a/name", .key = "k" });
	sink_state(s, &(struct record){ .time = 1, .value = 1 });
	CHECK(!sink_close(s, &err));
	CHECK(strstr(err.text, "not/a/name") != NULL);
	CHECK_STR(dir_text(&a, dir, "states.csv"),
		"time_ns,class,row,type,value,label,depth\n"
		"1,not/a/name,A,k,1,,0\n");
	CHECK_INT(dir_remove(&a, dir), 1);
	CHECK_INT(dir_descriptors(), open);
	arena_fini(&a);
}

TEST(a_folder_that_cannot_be_made_is_an_error)
{
	struct arena a = { 0 };
	struct err err = { 0 };

	CHECK(sinks_open(&a, "prv,csv", "/dev/null/sub", &plain, &err) == NULL);
	CHECK(strstr(err.text, "/dev/null") != NULL);
	arena_fini(&a);
}

/* Opens each sink with a directory that no longer exists. */
TEST(a_folder_that_went_away_is_an_error)
{
	int open = dir_descriptors();

	for (int i = 0; sinks[i] != NULL; i++) {
		struct arena a = { 0 };
		struct err err = { 0 };
		const char *dir = dir_make(&a);
		struct sink *s;

		rmdir(dir);
		s = sinks[i]->open(&a, dir, &plain, &err);
		if (s != NULL) {
			small_trace(s);
			CHECK(!sink_close(s, &err));
		}
		CHECK(err.kind == ERR_SYSTEM);
		arena_fini(&a);
	}
	CHECK_INT(dir_descriptors(), open);
}

TEST(only_the_index_keeps_the_identity_of_its_trace)
{
	CHECK(sinks_keep_identity("index"));
	CHECK(sinks_keep_identity("prv,index"));
	CHECK(!sinks_keep_identity("prv,csv"));
	CHECK(!sinks_keep_identity("index2,noindex"));
}

TEST_MAIN(RUN(every_sink_is_complete),
	RUN(every_sink_takes_a_run_without_records),
	RUN(every_sink_takes_rows_without_records),
	RUN(an_unknown_name_lists_those_that_exist),
	RUN(one_name_needs_no_wrapper), RUN(several_names_all_get_everything),
	RUN(failure_of_one_is_reported_and_the_others_finish),
	RUN(a_folder_that_cannot_be_made_is_an_error),
	RUN(a_folder_that_went_away_is_an_error),
	RUN(only_the_index_keeps_the_identity_of_its_trace))
