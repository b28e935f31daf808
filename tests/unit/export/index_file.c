/* SPDX-License-Identifier: MIT */
/* Tests the metadata of an index, and damaged files. */
#include "test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sys/stat.h>

#include "export/index/identity.h"
#include "export/index/tile.h"
#include "index_model.h"

static struct sink *
open_sink(struct model *m, const char *identity)
{
	struct err err = { 0 };

	m->dir = dir_make(&m->arena);
	return sink_index.open(&m->arena, m->dir,
		&(struct sink_setup){ .unit = "ps",
			.title = "a \"title\"",
			.identity = identity,
			.start_realtime = 12,
			.start_monotonic = CLOCK_UNKNOWN },
		&err);
}

static void
close_sink(struct model *m, struct sink *s)
{
	struct err err = { 0 };

	CHECK(sink_close(s, &err));
	CHECK(model_open(m));
}

TEST(rows_types_and_labels_come_back)
{
	static const uint32_t types[] = { 1, 0 };
	struct row_identity place = { "host", 7, 8, -1 };
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);
	const struct index_meta *meta;
	const struct index_label *l;

	sink_row(s, &(struct row){ 0, ROW_NONE, "thread", "T1", &place });
	sink_row(s, &(struct row){ 1, 0, "cpu", " C", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "a.b",
			.title = "T",
			.none = "No thing",
			.number = 37,
			.none_means = MEANS_IDLE });
	sink_type(s,
		&(struct type){ .id = 1,
			.class = "thread",
			.key = "n",
			.unit = "B",
			.kind = TYPE_NUMBER });
	sink_label(s, 0, 5, "five", MEANS_LOCK);
	sink_label(s, 0, -3, "</script>", MEANS_TASK);
	sink_label(s, 0, 9, "never", MEANS_IDLE);
	sink_state(s, &(struct record){ .time = 4, .value = 5 });
	sink_state(s, &(struct record){ .time = 6, .value = -3 });
	sink_rename(s, 0, "T2");
	sink_panel(s, &(struct panel){ "thread", "p", "P", types, 2, true });
	sink_advance(s, 100);
	close_sink(&m, s);
	meta = index_meta(m.ix);
	CHECK_STR(meta->unit, "ps");
	CHECK_STR(meta->title, "a \"title\"");
	CHECK_STR(meta->version, WEFT_VERSION);
	CHECK_STR(meta->identity, "");
	CHECK_INT(meta->end, 100);
	CHECK_INT(meta->start_realtime, 12);
	CHECK_INT(meta->nrows, 2);
	CHECK_STR(meta->row[0].row.name, "T2");
	CHECK_STR(meta->row[0].row.identity->node, "host");
	CHECK_INT(meta->row[0].row.identity->tid, 8);
	CHECK_INT(meta->row[1].row.parent, 0);
	CHECK_STR(meta->row[1].row.name, "C");
	CHECK_STR(meta->type[0].type.none, "No thing");
	CHECK_INT(meta->type[0].type.number, 37);
	CHECK(meta->type[1].type.title == NULL);
	CHECK_STR(meta->type[1].type.unit, "B");
	CHECK_INT(meta->type[0].nlabels, 3);
	l = index_label(&meta->type[0], -3);
	CHECK_STR(l->text, "</script>");
	CHECK_INT(l->class, 1);
	CHECK_INT(index_label(&meta->type[0], 9)->class, -1);
	CHECK(index_label(&meta->type[0], 6) == NULL);
	CHECK_INT(meta->npanels, 1);
	CHECK_INT(meta->panel[0].types[0], 1);
	CHECK_INT(index_series(m.ix, 1, 0, 0), INDEX_NONE);
	CHECK_INT(index_series(m.ix, 0, 5, 0), INDEX_NONE);
	model_fini(&m);
}

/* The numbers of programs that a process executes, as in a trace of ovni. */
TEST(groups_of_processes_are_named_by_process_ids)
{
	static const int64_t pids[] = { 40, 41, 40 + 3 * 4194304,
		39 + 4194304 };
	static const char *const names[] = { "process 40", "process 41",
		"process 4194343", "process 40 after exec 3" };
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);
	const struct index_meta *meta;
	uint32_t row = 0, n = 0;

	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 2; k++, row++)
			sink_row(s,
				&(struct row){ row, ROW_NONE, "thread", "T",
					&(struct row_identity){ "host", pids[i],
						pids[i] + k, -1 } });
	sink_advance(s, 10);
	close_sink(&m, s);
	meta = index_meta(m.ix);
	for (uint32_t i = 0; i < meta->ngroups; i++)
		if (meta->group[i].kind == INDEX_GROUP_PROCESS && n < 4)
			CHECK_STR(meta->group[i].name, names[n++]);
	CHECK_INT(n, 4);
	model_fini(&m);
}

TEST(findings_and_gaps_come_back_by_time)
{
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);
	const struct index_meta *meta;

	sink_row(s, &(struct row){ 0, ROW_NONE, "thread", "T1", NULL });
	sink_finding(s, &(struct sink_finding){ SEVERITY_ERROR, 9, 0, "late" });
	sink_finding(s,
		&(struct sink_finding){
			SEVERITY_NOTE, VALUE_NONE, ROW_NONE, "whole" });
	sink_finding(
		s, &(struct sink_finding){ SEVERITY_WARNING, 3, 0, "early" });
	sink_gap(s, &(struct gap){ 2, 7, 0, 11, "the buffer was full" });
	sink_gap(s, &(struct gap){ 3, 7, 0, 0, NULL });
	sink_link_kind(s, &(struct link_kind){ 4, "wakes", LINK_WAKEUP });
	sink_advance(s, 10);
	close_sink(&m, s);
	meta = index_meta(m.ix);
	CHECK_INT(meta->nfindings, 3);
	CHECK_STR(meta->finding[0].text, "whole");
	CHECK_INT(meta->finding[0].row, ROW_NONE);
	CHECK_STR(meta->finding[1].text, "early");
	CHECK_INT(meta->finding[2].severity, SEVERITY_ERROR);
	CHECK_INT(meta->ngaps, 2);
	CHECK_INT(meta->gap[0].events, 11);
	CHECK(meta->gap[1].why == NULL);
	CHECK_STR(meta->kind[0].name, "wakes");
	model_fini(&m);
}

static void
stack(struct sink *s, int64_t time, int depth, const int64_t *at)
{
	sink_state(s,
		&(struct record){ .time = time,
			.depth = (uint32_t)depth,
			.value = depth > 0 ? at[depth - 1] : VALUE_NONE,
			.stack = at });
}

/* Returns the stack of row 0 at a time, as digits. */
static const char *
stack_at(struct model *m, int64_t t)
{
	static char text[INDEX_LANES * 2];
	int64_t value[INDEX_LANES];
	int depth;

	if (!index_stack(&m->q, 0, 0, t, value, &depth))
		return "failed";
	for (int i = 0; i < depth; i++)
		text[i] = (char)('0' + value[i] % 10);
	text[depth] = '\0';
	return text;
}

TEST(lanes_hold_what_a_stack_has_at_each_depth)
{
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);
	int64_t deep[70], a[] = { 1, 2, 3 }, b[] = { 1, 4, 3 };
	struct index_interval iv;

	for (int i = 0; i < 70; i++)
		deep[i] = i % 10;
	sink_row(s, &(struct row){ 0, ROW_NONE, "thread", "T", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "k",
			.stack = true });
	stack(s, 10, 1, a);
	stack(s, 20, 2, a);
	stack(s, 30, 3, a);
	stack(s, 40, 3, b); /* only lane 2 changes */
	sink_state(s,       /* hidden */
		&(struct record){
			.time = 50, .depth = 3, .value = VALUE_NONE });
	stack(s, 60, 3, b);
	sink_state(s,
		&(struct record){
			.time = 70, .depth = 3, .value = VALUE_LOST });
	stack(s, 80, 70, deep);
	stack(s, 90, 0, deep);
	sink_advance(s, 100);
	close_sink(&m, s);
	CHECK_STR(stack_at(&m, 5), "");
	CHECK_STR(stack_at(&m, 10), "1");
	CHECK_STR(stack_at(&m, 39), "123");
	CHECK_STR(stack_at(&m, 40), "143");
	CHECK_STR(stack_at(&m, 55), "");
	CHECK_STR(stack_at(&m, 60), "143");
	CHECK_STR(
		stack_at(&m, 70), "5"); /* the last digit of VALUE_LOST is 5 */
	CHECK_INT(strlen(stack_at(&m, 80)), INDEX_LANES);
	CHECK_STR(stack_at(&m, 99), "");
	CHECK(index_at(&m.q, index_series(m.ix, 0, 0, 1), 45, &iv));
	CHECK_INT(iv.from, 10);
	CHECK_INT(iv.to, 50);
	CHECK_INT(index_meta(m.ix)->type[0].lanes, INDEX_LANES);
	CHECK_INT(index_meta(m.ix)->too_deep, 1);
	model_fini(&m);
}

TEST(an_index_without_anything_opens)
{
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);

	close_sink(&m, s);
	CHECK_INT(index_meta(m.ix)->end, 0);
	CHECK_INT(index_meta(m.ix)->nseries, 0);
	CHECK_INT(index_series(m.ix, 0, 0, 0), INDEX_NONE);
	model_fini(&m);
}

static const struct model_plan plan = { 5, 300, 9000, 30, 0, 10, 0, false,
	TYPE_STATE };

TEST(bytes_are_the_same_but_for_the_generation)
{
	struct model m, n;
	size_t size[2];
	struct err err = { 0 };
	char *x, *y;
	size_t differ = 0;

	CHECK(model_make(&m, 1, &plan));
	CHECK(model_make(&n, 1, &plan));
	x = file_read(&m.arena, model_path(&m), 1 << 24, &size[0], &err);
	y = file_read(&n.arena, model_path(&n), 1 << 24, &size[1], &err);
	CHECK_INT(size[0], size[1]);
	for (size_t i = 0; i < size[0]; i++)
		differ += x[i] != y[i];
	CHECK(differ > 0);
	CHECK(differ <= 24); /* the checksum of the header differs, too */
	model_fini(&m);
	model_fini(&n);
}

TEST(a_small_budget_makes_shorter_chunks_of_the_same_records)
{
	struct model_plan small = plan;
	struct model m, n;
	struct index_column *x, *y;

	small.budget = 1000;
	CHECK(model_make(&m, 1, &plan));
	CHECK(model_make(&n, 1, &small));
	CHECK(index_meta(n.ix)->nchunks > 2 * index_meta(m.ix)->nchunks);
	CHECK(index_columns(
		&m.q, &m.arena, 0, (struct index_range){ 0, m.end, 1 }, &x));
	CHECK(index_columns(
		&n.q, &n.arena, 0, (struct index_range){ 0, n.end, 1 }, &y));
	CHECK_INT(x->nshares, y->nshares);
	CHECK(memcmp(x->share, y->share,
		      (size_t)x->nshares * sizeof *x->share) == 0);
	model_fini(&m);
	model_fini(&n);
}

/* Writes a few records to each row and returns the bytes per series. */
static size_t
bytes_a_series(uint32_t rows, uint32_t depth)
{
	struct model m = { 0 };
	struct sink *s = open_sink(&m, NULL);
	size_t bytes;

	for (uint32_t i = 0; i < rows; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", "T", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "t",
			.stack = depth > 0 });
	for (uint32_t i = 0; i < 10 * rows; i++) {
		int64_t stack[4] = { i % 7, i % 5, i % 3, i % 2 };

		sink_state(s,
			&(struct record){ .time = i,
				.row = i % rows,
				.value = i % 7,
				.depth = depth,
				.stack = depth > 0 ? stack : NULL });
	}
	bytes = index_sink_memory(s) / ((1 + depth) * rows);
	close_sink(&m, s);
	CHECK_INT(index_meta(m.ix)->nseries, (1 + depth) * rows);
	model_fini(&m);
	return bytes;
}

/* 512 MiB for a million series; and arrays that double have room for twice as
 * many, at worst. */
TEST(a_quiet_series_takes_few_bytes)
{
	CHECK(bytes_a_series(32768, 0) <= 400);
	CHECK(bytes_a_series(40000, 0) <= 536);
	CHECK(bytes_a_series(8192, 3) <= 400);
}

TEST(what_an_index_was_made_of_is_told_apart)
{
	struct model m = { 0 }, trace = { 0 };
	const char *file, *dir;
	struct sink *s;
	FILE *f;

	dir = trace.dir = dir_make(&trace.arena);
	file = arena_printf(&trace.arena, "%s/stream.obs", dir);
	f = fopen(file, "w");
	fputs("some bytes", f);
	fclose(f);
	s = open_sink(&m, index_identity(&trace.arena, dir, "opt"));
	close_sink(&m, s);
	CHECK(index_stale(&m.arena, m.ix, dir, "opt") == NULL);
	CHECK_STR(index_stale(&m.arena, m.ix, dir, "other"), "other options");
	CHECK_STR(index_stale(&m.arena, m.ix, file, "opt"), "input changed");
	f = fopen(file, "a");
	fputs("!", f);
	fclose(f);
	CHECK_STR(index_stale(&m.arena, m.ix, dir, "opt"),
		"input changed (stream.obs)");
	CHECK(index_identity(&m.arena, "/no/such/trace", "") == NULL);
	dir_remove(&trace.arena, dir);
	arena_fini(&trace.arena);
	model_fini(&m);
}

/* Asks every question; the answers may be wrong, but nothing may crash. */
static void
ask(const struct index *ix)
{
	const struct index_meta *meta = index_meta(ix);

	for (uint32_t i = 0; i < meta->nseries && i < 20; i++) {
		struct index_query q = { .ix = ix, .budget = 100000 };
		struct arena a = { 0 };
		struct index_range r = { 0, meta->end / 40 + 1, 40 };
		struct index_column *c;
		struct index_extent *e;
		struct index_times t;
		struct index_interval iv;
		struct index_link_result links;
		int64_t value[INDEX_LANES];
		int depth;

		index_columns(&q, &a, i, r, &c);
		q.state = INDEX_OK;
		index_extents(&q, &a, i, r, &e);
		q.state = INDEX_OK;
		index_by_value(&q, &a, i,
			(struct index_window){ 0, meta->end, true }, &t);
		q.state = INDEX_OK;
		index_at(&q, i, meta->end / 2, &iv);
		q.state = INDEX_OK;
		index_step(&q, i, meta->end / 2, false,
			&(struct index_sought){ &iv.value, 1, meta->end }, &iv);
		q.state = INDEX_OK;
		index_stack(&q, 0, 0, meta->end / 3, value, &depth);
		q.state = INDEX_OK;
		index_links(&q, &a,
			&(struct index_links){ 0, meta->end, NULL, 20, 0 },
			&links);
		arena_fini(&a);
	}
}

static void
write_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	CHECK(f != NULL && fwrite(bytes, 1, n, f) == n);
	CHECK(fclose(f) == 0);
}

TEST(a_byte_that_changed_is_noticed)
{
	struct model m;
	struct err err = { 0 };
	size_t size;
	char *bytes;
	int opened = 0;

	CHECK(model_make(&m, 1, &plan));
	bytes = file_read(&m.arena, model_path(&m), 1 << 24, &size, &err);
	for (int i = 0; i < 300; i++) {
		size_t at = (size_t)model_below(&m, (int64_t)size);
		char was = bytes[at];
		struct index *ix;

		bytes[at] = (char)(was ^ (1 << model_below(&m, 8)));
		write_file(model_path(&m), bytes, size);
		bytes[at] = was;
		err = (struct err){ 0 };
		ix = index_open(&m.arena, model_path(&m), &err);
		if (ix != NULL)
			ask(ix);
		else
			CHECK(err.kind != ERR_NONE);
		opened += ix != NULL;
		index_close(ix);
	}
	CHECK(opened > 0); /* chunks are checked when they are read */
	CHECK(opened < 300);
	model_fini(&m);
}

TEST(a_damaged_chunk_costs_its_series_only)
{
	struct tile_params p = { .width = 64,
		.tiles = 1,
		.q = 15,
		.nrows = 2,
		.rows = (struct tile_row[]){ { false, 1 }, { false, 0 } } };
	struct tile_bytes tile, all;
	struct index_column *c;
	struct model m;
	int fd;

	CHECK(model_make(&m, 1, &plan));
	CHECK(index_at(&m.q, index_series(m.ix, 0, 0, 0), 9,
		&(struct index_interval){ 0 }));
	index_close(m.ix);
	fd = open(model_path(&m), O_WRONLY);
	/* Damages the first chunk, which belongs to the row that first filled a
	 * chunk. */
	CHECK_INT(pwrite(fd, "\377\377\377\377", 4, 4096 + 200), 4);
	close(fd);
	CHECK(model_open(&m));
	CHECK(!index_columns(&m.q, &m.arena, index_series(m.ix, 0, 0, 0),
		(struct index_range){ 0, 10, 1 }, &c));
	CHECK_INT(m.q.state, INDEX_DAMAGED);
	CHECK_INT(m.q.damaged_at, 4096);
	m.q.state = INDEX_OK;
	CHECK(index_columns(&m.q, &m.arena, index_series(m.ix, 1, 0, 0),
		(struct index_range){ 0, 10, 1 }, &c));
	CHECK(tile_encode(&m.q, &m.arena, &p, &tile));
	/* The last row: 4 bytes, not coarse, damaged, 256 columns. */
	CHECK(memcmp(tile.at + tile.n - 5, "\4\0\200\200\2", 5) == 0);
	/* Of several tiles, only those that read the chunk. */
	p.tiles = 7;
	CHECK(tile_encode(&m.q, &m.arena, &p, &all));
	p.tiles = 1;
	for (size_t at = 0; at < all.n; at += tile.n, p.number++) {
		CHECK(tile_encode(&m.q, &m.arena, &p, &tile));
		CHECK(at + tile.n <= all.n &&
			memcmp(all.at + at, tile.at, tile.n) == 0);
	}
	CHECK_INT(p.number, 7);
	model_fini(&m);
}

TEST(a_file_cut_under_the_map_ends_the_query_only)
{
	struct model m;
	struct index_column *c;

	CHECK(model_make(&m, 1, &plan));
	CHECK(truncate(model_path(&m), 4096) == 0);
	CHECK(!index_columns(
		&m.q, &m.arena, 0, (struct index_range){ 0, 10, 1 }, &c));
	CHECK_INT(m.q.state, INDEX_GONE);
	CHECK_INT(index_series(m.ix, 0, 0, 0), INDEX_NONE);
	model_fini(&m);
}

struct asker {
	pthread_t thread;
	struct model *m;
	int64_t time;
	bool ok;
};

/* Sums the times of all rows, like every other thread. */
static void *
ask_columns(void *arg)
{
	struct asker *to = arg;
	struct index_query q = { .ix = to->m->ix, .budget = INT64_MAX };

	to->ok = true;
	for (uint32_t i = 0; i < index_meta(q.ix)->nseries; i++) {
		struct arena a = { 0 };
		struct index_column *c;
		int64_t width = to->m->end / 40 + 1;

		to->ok &= index_columns(
			&q, &a, i, (struct index_range){ 0, width, 40 }, &c);
		for (int j = 0; to->ok && j < 40; j++)
			for (int k = 0; k < c[j].nshares; k++)
				to->time += c[j].share[k].time;
		arena_fini(&a);
	}
	return NULL;
}

TEST(threads_may_ask_at_once)
{
	struct asker asker[4] = { 0 };
	struct model m;

	CHECK(model_make(&m, 1, &plan));
	for (int i = 0; i < 4; i++) {
		asker[i].m = &m;
		CHECK(pthread_create(&asker[i].thread, NULL, ask_columns,
			      &asker[i]) == 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(asker[i].thread, NULL);
		CHECK(asker[i].ok);
		CHECK_INT(asker[i].time,
			(int64_t)index_meta(m.ix)->nseries * m.end);
	}
	model_fini(&m);
}

TEST(other_files_are_no_index)
{
	struct model m = { 0 };
	const char *path;
	struct err err = { 0 };

	m.dir = dir_make(&m.arena);
	path = model_path(&m);
	CHECK(index_open(&m.arena, path, &err) == NULL);
	write_file(path, "WEFTIDX\1", 8);
	CHECK(index_open(&m.arena, path, &err) == NULL);
	err = (struct err){ 0 };
	CHECK(index_open(&m.arena, m.dir, &err) == NULL);
	CHECK(strstr(err.text, "not an index") != NULL);
	model_fini(&m);
}

TEST_MAIN(RUN(rows_types_and_labels_come_back),
	RUN(groups_of_processes_are_named_by_process_ids),
	RUN(findings_and_gaps_come_back_by_time),
	RUN(lanes_hold_what_a_stack_has_at_each_depth),
	RUN(an_index_without_anything_opens),
	RUN(bytes_are_the_same_but_for_the_generation),
	RUN(a_small_budget_makes_shorter_chunks_of_the_same_records),
	RUN(a_quiet_series_takes_few_bytes),
	RUN(what_an_index_was_made_of_is_told_apart),
	RUN(a_byte_that_changed_is_noticed),
	RUN(a_damaged_chunk_costs_its_series_only),
	RUN(a_file_cut_under_the_map_ends_the_query_only),
	RUN(threads_may_ask_at_once), RUN(other_files_are_no_index))
