/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "dir.h"
#include "export/sinks.h"
#include "views.h"

/* Returns whether the .pcf file of a class has this type with this title. */
static bool
is_in_pcf(struct arena *a, const char *dir, const char *class,
	const struct window *w)
{
	const char *pcf = dir_text(a, dir, arena_printf(a, "%s.pcf", class));

	return strstr(pcf, arena_printf(a, "\n0 %-10ld ", w->number)) != NULL;
}

/* Reads all views below a directory. Returns their number, or -1 if one is bad.
 */
static int
read_views(
	struct arena *a, const char *dir, const char *class, const char *folder)
{
	DIR *d = opendir(arena_printf(a, "%s/%s", dir, folder));
	struct dirent *e;
	int n = 0;

	while (d != NULL && n >= 0 && (e = readdir(d)) != NULL) {
		const char *path = arena_printf(a, "%s/%s", folder, e->d_name);
		struct view *v;
		int below;

		if (e->d_name[0] == '.')
			continue;
		if (e->d_type == DT_DIR) {
			below = read_views(a, dir, class, path);
			n = below < 0 ? -1 : n + below;
			continue;
		}
		v = read_view(a, dir, path);
		n = v->error[0] == '\0' ? n + 1 : -1;
		for (int i = 0; i < v->n; i++)
			if (v->at[i].ntypes == 1 &&
				!is_in_pcf(a, dir, class, &v->at[i]))
				n = -1;
	}
	if (d != NULL)
		closedir(d);
	return n;
}

struct bench {
	struct arena a;
	const char *dir;
	struct sink *s;
	uint32_t nrows, ntypes;
	const char *row_class[8], *type_class[32];
};

static void
bench_open(struct bench *b, const char *formats, bool no_cfg)
{
	struct err err = { 0 };
	struct sink_setup *setup;

	*b = (struct bench){ .dir = NULL };
	b->dir = dir_make(&b->a);
	setup = ARENA_NEW(&b->a, struct sink_setup);
	setup->unit = "ns";
	setup->no_cfg = no_cfg;
	b->s = sinks_open(&b->a, formats, b->dir, setup, &err);
}

static void
bench_fini(struct bench *b)
{
	dir_remove(&b->a, b->dir);
	arena_fini(&b->a);
}

static void
row(struct bench *b, const char *class)
{
	b->row_class[b->nrows] = class;
	sink_row(b->s, &(struct row){ b->nrows++, ROW_NONE, class, "A", NULL });
}

static uint32_t
type(struct bench *b, const char *class, const char *key, const char *title,
	enum type_kind kind)
{
	sink_type(b->s,
		&(struct type){ .id = b->ntypes,
			.class = class,
			.key = key,
			.title = title,
			.number = 30 + b->ntypes,
			.kind = kind });
	b->type_class[b->ntypes] = class;
	return b->ntypes++;
}

/* Writes a record for each type whose class has a row. */
static void
use(struct bench *b)
{
	for (uint32_t t = 0; t < b->ntypes; t++)
		for (uint32_t r = 0; r < b->nrows; r++)
			if (strcmp(b->row_class[r], b->type_class[t]) == 0) {
				sink_state(b->s,
					&(struct record){ .row = r,
						.type = t,
						.value = 1 });
				break;
			}
}

static bool
closes(struct bench *b)
{
	struct err err = { 0 };
	bool ok = sink_close(b->s, &err);

	if (!ok)
		printf("# %s\n", err.text);
	return ok;
}

static bool
is_there(struct bench *b, const char *path)
{
	return strcmp(dir_text(&b->a, b->dir, path), "(missing)") != 0;
}

TEST(every_type_of_every_class_has_a_view)
{
	struct bench b;

	bench_open(&b, "prv", false);
	row(&b, "thread");
	row(&b, "cpu");
	type(&b, "thread", "nanos6.subsystem", "Subsystem", TYPE_STATE);
	type(&b, "cpu", "nanos6.subsystem", "Subsystem of CPU", TYPE_STATE);
	type(&b, "thread", "nanos6.taskid", "Task", TYPE_NUMBER);
	type(&b, "thread", "plain", "No model", TYPE_POINT);
	type(&b, "thread", "ovni.none", NULL, TYPE_STATE);
	type(&b, "nobody", "x.y", "A class without rows", TYPE_STATE);
	use(&b);
	CHECK(closes(&b));
	CHECK_INT(read_views(&b.a, b.dir, "thread", "cfg/thread"), 3);
	CHECK_INT(read_views(&b.a, b.dir, "cpu", "cfg/cpu"), 1);
	CHECK(is_there(&b, "cfg/thread/nanos6/subsystem.cfg"));
	CHECK(is_there(&b, "cfg/thread/nanos6/task-id.cfg"));
	CHECK(is_there(&b, "cfg/thread/plain.cfg"));
	CHECK(is_there(&b, "cfg/cpu/nanos6/subsystem.cfg"));
	CHECK(!is_there(&b, "cfg/thread/ovni/none.cfg"));
	CHECK_INT(dir_remove(&b.a, b.dir), 2 * 3);
	bench_fini(&b);
}

TEST(a_view_shows_its_type)
{
	struct bench b;
	struct window *state, *number, *point;

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	type(&b, "cpu", "m.state", "State", TYPE_STATE);
	type(&b, "cpu", "m.number", "Number", TYPE_NUMBER);
	type(&b, "cpu", "m.point", "Point", TYPE_POINT);
	sink_label(b.s, 0, 65, "highest", MEANS_UNSAID);
	sink_label(b.s, 0, INT32_MAX, "fault", MEANS_UNSAID);
	sink_label(b.s, 0, 3, "low", MEANS_UNSAID);
	use(&b);
	CHECK(closes(&b));
	state = read_view(&b.a, b.dir, "cfg/cpu/m/state.cfg")->at;
	number = read_view(&b.a, b.dir, "cfg/cpu/m/number.cfg")->at;
	point = read_view(&b.a, b.dir, "cfg/cpu/m/point.cfg")->at;
	CHECK_STR(state->name, "State");
	CHECK_STR(state->label, "State");
	CHECK_INT(state->number, 30);
	CHECK_INT(state->high, 65);
	CHECK(state->open);
	CHECK_STR(state->color, "");
	CHECK_INT(number->number, 31);
	CHECK_STR(number->color, "window_in_null_gradient_mode");
	CHECK_INT(point->number, 32);
	CHECK_STR(point->color, "window_in_null_gradient_mode");
	bench_fini(&b);
}

/* If a view's type does not exist in the trace, Paraver asks for it or shows an
 * empty window. */
TEST(a_type_without_a_record_has_no_view)
{
	struct bench b;
	uint32_t types[3];
	struct view *v;

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	types[0] = type(&b, "cpu", "m.a", "First", TYPE_STATE);
	types[1] = type(&b, "cpu", "m.b", "Second", TYPE_STATE);
	types[2] = type(&b, "cpu", "m.c", "Third", TYPE_STATE);
	sink_panel(
		b.s, &(struct panel){ "cpu", "m.all", "All", types, 3, false });
	sink_panel(b.s,
		&(struct panel){ "cpu", "m.none", "None", types, 1, false });
	for (uint32_t i = 1; i < 3; i++)
		sink_state(b.s, &(struct record){ .type = i, .value = 1 });
	CHECK(closes(&b));
	CHECK(!is_there(&b, "cfg/cpu/m/a.cfg"));
	CHECK(!is_there(&b, "cfg/cpu/m/none.cfg"));
	v = read_view(&b.a, b.dir, "cfg/cpu/m/all.cfg");
	CHECK_INT(v->n, 5);
	CHECK_INT(v->at[0].ntypes, 2);
	CHECK_INT(v->at[1].number, 31);
	bench_fini(&b);
}

/* States of one meaning have shades of its colour; things of one kind, and
 * states without a meaning, have colours that tell them apart. Errors are red
 * everywhere. */
TEST(colours_follow_from_meanings)
{
	struct bench b;

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	type(&b, "cpu", "m.state", "State", TYPE_STATE);
	type(&b, "cpu", "m.thing", "Thing", TYPE_STATE);
	sink_label(b.s, 0, 7, "body", MEANS_TASK);
	sink_label(b.s, 0, 3, "rests", MEANS_IDLE);
	sink_label(b.s, 0, 4, "looks", MEANS_SEARCH);
	sink_label(b.s, 0, 0, "nothing", MEANS_IDLE);
	sink_label(b.s, 0, INT32_MAX, "fault", MEANS_ERROR);
	sink_label(b.s, 1, 1230608868, "init", MEANS_TASK);
	sink_label(b.s, 1, 1230622585, "fini", MEANS_TASK);
	sink_label(b.s, 1, INT32_MAX, "fault", MEANS_ERROR);
	use(&b);
	CHECK(closes(&b));
	CHECK_STR(read_view(&b.a, b.dir, "cfg/cpu/m/state.cfg")->at[0].palette,
		"{7:111,219,15},{3:101,103,101},{4:115,117,115},"
		"{2147483647:201,30,20}");
	CHECK_STR(read_view(&b.a, b.dir, "cfg/cpu/m/thing.cfg")->at[0].palette,
		"{1230608868:240,75,150},{1230622585:240,240,0},"
		"{2147483647:201,30,20}");
	bench_fini(&b);
}

/* In the palette, the values 1005 and 3005 would get the same colour, and -5
 * none. */
TEST(values_without_labels_and_ids_have_a_gradient)
{
	struct bench b;

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	type(&b, "cpu", "m.mark", "Mark", TYPE_STATE);
	type(&b, "cpu", "m.id", "Id", TYPE_ID);
	sink_label(b.s, 0, INT32_MAX, "fault", MEANS_ERROR);
	use(&b);
	CHECK(closes(&b));
	CHECK_STR(read_view(&b.a, b.dir, "cfg/cpu/m/mark.cfg")->at[0].color,
		"window_in_null_gradient_mode");
	CHECK_STR(read_view(&b.a, b.dir, "cfg/cpu/m/id.cfg")->at[0].color,
		"window_in_null_gradient_mode");
	bench_fini(&b);
}

/* States with small values get a column each, others a table of durations. */
TEST(states_have_a_histogram)
{
	struct bench b;
	struct view *time, *durations;

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	type(&b, "cpu", "m.state", "State", TYPE_STATE);
	type(&b, "cpu", "m.hash", "Hash", TYPE_STATE);
	type(&b, "cpu", "m.number", "Number", TYPE_NUMBER);
	sink_label(b.s, 0, 7, "seven", MEANS_IO);
	sink_label(b.s, 0, INT32_MAX, "fault", MEANS_ERROR);
	sink_label(b.s, 1, 1230608868, "init", MEANS_TASK);
	use(&b);
	CHECK(closes(&b));
	time = read_view(&b.a, b.dir, "cfg/cpu/m/state-time.cfg");
	durations = read_view(&b.a, b.dir, "cfg/cpu/m/hash-durations.cfg");
	CHECK_INT(time->n, 1);
	CHECK(time->histogram);
	CHECK(strstr(dir_text(&b.a, b.dir, "cfg/cpu/m/state-time.cfg"),
		      "Analyzer2D.Maximum: 7.0\n") != NULL);
	CHECK_INT(durations->n, 3);
	CHECK_STR(durations->at[2].operation, "product");
	CHECK_STR(durations->at[2].units, "Nanoseconds");
	CHECK(durations->histogram);
	CHECK(!is_there(&b, "cfg/cpu/m/number-time.cfg"));
	bench_fini(&b);
}

TEST(a_panel_is_the_maximum_of_windows)
{
	struct bench b;
	struct view *v;
	uint32_t types[3];

	bench_open(&b, "csv,prv", false);
	row(&b, "cpu");
	row(&b, "thread");
	types[0] = type(&b, "thread", "m.a", "First", TYPE_NUMBER);
	type(&b, "cpu", "m.a", "Another", TYPE_STATE);
	types[1] = type(&b, "thread", "m.b", "Second", TYPE_STATE);
	types[2] = type(&b, "thread", "m.c", "Third", TYPE_STATE);
	sink_label(b.s, types[2], 20, "highest", MEANS_UNSAID);
	sink_panel(b.s,
		&(struct panel){ "thread", "m.status", "All \"three\"", types,
			3, false });
	use(&b);
	CHECK(closes(&b));
	CHECK_INT(read_views(&b.a, b.dir, "thread", "cfg/thread"), 5);
	v = read_view(&b.a, b.dir, "cfg/thread/m/status.cfg");
	CHECK_INT(v->n, 7);
	CHECK(v->at[0].labels);
	CHECK_INT(v->at[0].ntypes, 3);
	for (int i = 0; i < 3; i++) {
		CHECK_STR(v->at[i + 1].type, "single");
		CHECK_INT(v->at[i + 1].number, 30 + types[i]);
		CHECK(!v->at[i + 1].labels);
	}
	for (int i = 0; i < 7; i++)
		CHECK_INT(v->at[i].open, i == 6);
	CHECK_STR(v->at[4].operation, "add");
	CHECK_INT(v->at[4].left + 10 * v->at[4].right, 21);
	CHECK_STR(v->at[5].operation, "maximum");
	CHECK_INT(v->at[5].left + 10 * v->at[5].right, 35);
	CHECK_INT(v->at[6].left + 10 * v->at[6].right, 46);
	CHECK_STR(v->at[6].name, "All 'three'");
	CHECK_STR(v->at[6].color, "");
	CHECK_INT(v->at[6].high, 20);
	bench_fini(&b);
}

TEST(a_panel_of_one_type_is_its_window)
{
	struct bench b;
	struct view *v;
	uint32_t types[2];

	bench_open(&b, "prv", false);
	row(&b, "cpu");
	types[0] = type(&b, "cpu", "m.a", NULL, TYPE_STATE);
	types[1] = type(&b, "cpu", "m.b", "Second", TYPE_STATE);
	sink_panel(
		b.s, &(struct panel){ "cpu", "m.one", "One", types, 2, false });
	sink_panel(b.s,
		&(struct panel){ "cpu", "m.none", "None", types, 1, false });
	sink_panel(b.s,
		&(struct panel){ "cpu", "m.empty", "Nil", NULL, 0, false });
	sink_panel(
		b.s, &(struct panel){ "nobody", "m.x", "X", NULL, 0, false });
	use(&b);
	CHECK(closes(&b));
	CHECK_INT(read_views(&b.a, b.dir, "cpu", "cfg/cpu"), 2);
	v = read_view(&b.a, b.dir, "cfg/cpu/m/one.cfg");
	CHECK_INT(v->n, 1);
	CHECK_STR(v->at[0].name, "One");
	CHECK(v->at[0].open);
	bench_fini(&b);
}

/* Titles of marks and names of models can come from a trace. */
TEST(titles_and_keys_are_safe)
{
	char long_key[400];
	struct bench b;
	struct view *v;

	memset(long_key, 'k', sizeof long_key);
	long_key[399] = '\0';
	bench_open(&b, "prv", false);
	row(&b, "cpu");
	type(&b, "cpu", "m.a", "say \"hi\"\nwindow_id 9\r\t\x1b[2J\x7f %s",
		TYPE_STATE);
	type(&b, "cpu", "../../up", "#", TYPE_STATE);
	type(&b, "cpu", "a/b.c/../d", "<", TYPE_STATE);
	type(&b, "cpu", "", "", TYPE_STATE);
	type(&b, "cpu", ".", "ConfigFile.EndDescription", TYPE_STATE);
	type(&b, "cpu", "m.", "T", TYPE_STATE);
	type(&b, "cpu", "x\n#", "T", TYPE_STATE);
	type(&b, "cpu", "\xc3\xa9.\xc3\xa8", "\xc3\xa9t\xc3\xa9", TYPE_STATE);
	type(&b, "cpu", long_key, long_key, TYPE_STATE);
	for (int i = 0; i < 3; i++)
		type(&b, "cpu", i < 2 ? "m.same" : "m.same-2", "T", TYPE_STATE);
	sink_panel(b.s,
		&(struct panel){
			"cpu", "m.same", "P", (uint32_t[]){ 0 }, 1, false });
	use(&b);
	CHECK(closes(&b));
	v = read_view(&b.a, b.dir, "cfg/cpu/m/a.cfg");
	CHECK_STR(v->at[0].name, "say 'hi' window_id 9   [2J  %s");
	CHECK_STR(v->at[0].label, ""); /* selected by number: Paraver cannot
	                                * find a title with quotes */
	CHECK(is_there(&b, "cfg/cpu/______up.cfg"));
	CHECK(is_there(&b, "cfg/cpu/a_b/c____d.cfg"));
	CHECK(is_there(&b, "cfg/cpu/m/same-2.cfg"));
	CHECK(is_there(&b, "cfg/cpu/m/same-2-2.cfg"));
	CHECK(is_there(&b, "cfg/cpu/m/same-3.cfg"));
	CHECK_INT(read_views(&b.a, b.dir, "cpu", "cfg/cpu"), 13);
	CHECK_INT(dir_remove(&b.a, b.dir), 3);
	bench_fini(&b);
}

TEST(views_can_be_left_out)
{
	struct bench b;

	bench_open(&b, "prv", true);
	row(&b, "cpu");
	type(&b, "cpu", "m.a", "T", TYPE_STATE);
	use(&b);
	CHECK(closes(&b));
	CHECK(!is_there(&b, "cfg/cpu/m/a.cfg"));
	CHECK_INT(dir_remove(&b.a, b.dir), 3);
	bench_fini(&b);
}

TEST(old_views_are_replaced_and_others_stay)
{
	struct bench b;
	const char *folder, *old, *other;
	char before[5] = "";
	int fd;

	bench_open(&b, "prv", false);
	folder = arena_printf(&b.a, "%s/cfg/cpu/m", b.dir);
	old = arena_printf(&b.a, "%s/a.cfg", folder);
	other = arena_printf(&b.a, "%s/mine.cfg", folder);
	CHECK(file_mkdir(folder, &(struct err){ 0 }));
	fd = open(old, O_RDWR | O_CREAT, 0600);
	CHECK_INT(write(fd, "old\n", 4), 4);
	CHECK_INT(link(old, other), 0);
	row(&b, "cpu");
	type(&b, "cpu", "m.a", "T", TYPE_STATE);
	use(&b);
	CHECK(closes(&b));
	CHECK_STR(read_view(&b.a, b.dir, "cfg/cpu/m/a.cfg")->at[0].name, "T");
	CHECK_STR(dir_text(&b.a, b.dir, "cfg/cpu/m/mine.cfg"), "old\n");
	CHECK_INT(pread(fd, before, 4, 0), 4); /* a reader that has the old file
	                                        * open still reads it */
	CHECK_STR(before, "old\n");
	close(fd);
	CHECK_INT(dir_remove(&b.a, folder), 2);
	bench_fini(&b);
}

/* Case 0 makes a file where a directory is needed, case 1 a directory where a
 * view is needed. */
TEST(a_failure_is_said_and_costs_one_view)
{
	int descriptors = dir_descriptors();

	for (int i = 0; i < 2; i++) {
		const char *path = i == 0 ? "cfg/cpu" : "cfg/cpu/m/a.cfg/in";
		struct err err = { 0 };
		struct bench b;

		bench_open(&b, "prv", false);
		CHECK(file_mkdir(arena_printf(&b.a, "%s/%s", b.dir,
					 i == 0 ? "cfg" : path),
			&err));
		if (i == 0)
			close(creat(arena_printf(&b.a, "%s/%s", b.dir, path),
				0600));
		row(&b, "cpu");
		type(&b, "cpu", "m.a", "T", TYPE_STATE);
		type(&b, "cpu", "m.b", "T", TYPE_STATE);
		use(&b);
		CHECK(!sink_close(b.s, &err));
		CHECK(strstr(err.text, i == 0 ? "/cfg/cpu" : "/m/a.cfg") !=
			NULL);
		CHECK(strncmp(err.text, "cannot create", 13) == 0);
		CHECK(is_there(&b, "cpu.row"));
		CHECK_INT(is_there(&b, "cfg/cpu/m/b.cfg"), i == 1);
		bench_fini(&b);
	}
	CHECK_INT(dir_descriptors(), descriptors);
}

TEST_MAIN(RUN(a_type_without_a_record_has_no_view),
	RUN(colours_follow_from_meanings),
	RUN(values_without_labels_and_ids_have_a_gradient),
	RUN(states_have_a_histogram), RUN(every_type_of_every_class_has_a_view),
	RUN(a_view_shows_its_type), RUN(a_panel_is_the_maximum_of_windows),
	RUN(a_panel_of_one_type_is_its_window), RUN(titles_and_keys_are_safe),
	RUN(views_can_be_left_out), RUN(old_views_are_replaced_and_others_stay),
	RUN(a_failure_is_said_and_costs_one_view))
