/* SPDX-License-Identifier: MIT */
/* Compares quantities, punctual events, links and groups with brute force. */
#include "test.h"

#include "export/index/tree.h"
#include "index_model.h"

#define NS(n) INT64_C(n)

static const struct model_plan plans[] = {
	{ 1, 1, 1, 10, 0, 0, 0, false, TYPE_NUMBER },
	{ 3, 60, 30000, 70, 5000, 10, 0, false, TYPE_NUMBER },
	{ 1, 9, 90000, 30, 5000, 20, 0, false, TYPE_NUMBER },
	{ 1, 9, 90000, 30, 5000, 95, 0, false, TYPE_NUMBER },
	{ 2, 60, 20000, NS(1) << 40, NS(1) << 50, 10, 0, true, TYPE_NUMBER },
	{ 2, 60, 200, NS(1) << 52, NS(1) << 60, 10, 0, true, TYPE_NUMBER },
	{ 30, 60, 60000, 9, 0, 40, 9000, true, TYPE_NUMBER },
	{ 2, 60, 90000, 30, 0, 10, 0, true, TYPE_ID },
	{ 2, 2000, 90000, 30, 0, 10, 0, false, TYPE_STATE },
	{ 1, 700, 90000, 30, 90, 10, 0, false, TYPE_STATE },
};
#define NPLANS (int)(sizeof plans / sizeof *plans)

static int64_t
min(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static int64_t
max(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

static void
see(struct index_extent *e, int64_t value)
{
	if (value == VALUE_NONE)
		return;
	e->min = e->some ? min(e->min, value) : value;
	e->max = e->some ? max(e->max, value) : value;
	e->some = true;
}

/* Returns sum / time to the nearest integer, ties to the even one. */
static int64_t
mean(index_wide sum, int64_t time)
{
	index_wide down = sum / time, rest;

	if (down * time > sum)
		down--;
	rest = 2 * (sum - down * time); /* 0 <= rest < 2 time */
	if (rest > time || (rest == time && down % 2 != 0))
		down++;
	return (int64_t)down;
}

static struct index_extent
brute(const struct model *m, const struct model_series *s, int64_t a, int64_t b)
{
	struct index_extent e = { .last = VALUE_NONE, .mean = VALUE_NONE };
	int first = model_before(s, a, false);
	int last = model_before(s, b, false);

	e.changes = (uint64_t)(last - first);
	if (first >= 0 &&
		(first + 1 == s->at.n || s->at.at[first + 1].time > a))
		see(&e, s->at.at[first].value);
	for (int i = max(first, 0) > 0 ? first : 0; i <= last; i++) {
		int64_t value = s->at.at[i].value;
		int64_t from = max(a, s->at.at[i].time);
		int64_t to = i + 1 < s->at.n ? min(b, s->at.at[i + 1].time) : b;

		if (i > first)
			see(&e, value);
		e.last = value;
		if (value == VALUE_NONE || to <= from)
			continue;
		if (to - from > e.longest) {
			e.longest = to - from;
			e.longest_value = value;
		}
		if (m->plan.kind != TYPE_NUMBER)
			continue;
		e.sum += (index_wide)value * (to - from);
		e.time += to - from;
	}
	if (e.time > 0)
		e.mean = mean(e.sum, e.time);
	return e;
}

static int
differs(const struct index_extent *x, const struct index_extent *y)
{
	return (x->some != y->some) + (x->min != y->min) + (x->max != y->max) +
		(x->last != y->last) + (x->longest != y->longest) +
		(x->longest_value != y->longest_value) +
		(x->changes != y->changes) + (x->sum != y->sum) +
		(x->time != y->time) + (x->mean != y->mean);
}

static int
compare(struct model *m, uint32_t row, struct index_range r)
{
	struct arena a = { 0 };
	struct index_extent *e;
	int wrong = 0;

	if (!index_extents(&m->q, &a, index_series(m->ix, row, 0, 0), r, &e)) {
		printf("# %s\n", index_query_text(&m->q));
		return r.n;
	}
	for (int i = 0; i < r.n; i++) {
		int64_t from = max(0, r.from + i * r.width);
		int64_t to = min(m->end, r.from + (i + 1) * r.width);
		struct index_extent want;

		if (from >= to)
			continue;
		want = brute(m, &m->series[row], from, to);
		wrong += differs(&e[i], &want);
	}
	arena_fini(&a);
	return wrong;
}

TEST(quantities_are_those_of_the_records)
{
	struct model m;

	for (int p = 0; p < NPLANS; p++) {
		int wrong = 0;

		CHECK(model_make(&m, (uint64_t)p + 7, &plans[p]));
		for (int i = 0; i < TEST_ROUNDS(200); i++) {
			uint32_t row = (uint32_t)model_below(&m, m.plan.nrows);
			int n = model_percent(&m, 50) ? 1 : 30;
			struct index_range r = { model_time(&m),
				1 + model_below(&m, m.end / n + 1), n };

			r.width = model_percent(&m, 30) ? 1 + r.width / 100
							: r.width;
			if (m.series[row].at.n > 0)
				wrong += compare(&m, row, r);
		}
		if (wrong > 0)
			printf("# plan %d\n", p);
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

/* Types give a class to each value only up to a number of values. */
TEST(values_before_and_after_classes_run_out_add_up)
{
	struct model m;
	struct index_times t;
	struct index_extent *e;
	struct arena a = { 0 };

	CHECK(model_make(&m, 3, &plans[8]));
	CHECK(index_meta(m.ix)->type[0].hashed);
	CHECK_INT(index_meta(m.ix)->type[0].nvalues, INDEX_HASHED);
	CHECK(index_by_value(
		&m.q, &a, 0, (struct index_window){ 0, m.end, false }, &t));
	CHECK(t.n > 1000);
	CHECK(index_extents(
		&m.q, &a, 0, (struct index_range){ 0, m.end, 1 }, &e));
	CHECK_INT(e->max, t.at[t.n - 1].value);
	CHECK_INT(e->min, t.at[1].value);
	arena_fini(&a);
	model_fini(&m);
}

/* Makes random links, some long, some with equal times. */
static struct link *
make_links(struct model *m, int n)
{
	struct link *l = ARENA_ARRAY(&m->arena, struct link, n);
	struct err err = { 0 };
	struct sink *s;

	m->plan = (struct model_plan){ .nrows = 5 };
	m->dir = dir_make(&m->arena);
	s = model_sink(m);
	for (int i = 0; i < n; i++) {
		int64_t from = model_below(m, 1000);

		l[i] = (struct link){ from,
			from + model_below(m, model_percent(m, 5) ? 900 : 9),
			(uint32_t)model_below(m, 5),
			(uint32_t)model_below(m, 5), 1, i, 0 };
		sink_link(s, &l[i]);
	}
	sink_advance(s, 3000);
	CHECK(sink_close(s, &err));
	CHECK(model_open(m));
	return l;
}

static int
compare_links(struct model *m, const struct link *l, int n,
	const struct index_links *which)
{
	struct index_link_result got, want = { 0 };
	struct arena a = { 0 };
	int longer = 0, wrong;
	int64_t least = 0;

	if (!index_links(&m->q, &a, which, &got))
		return 1;
	if (got.n > 0)
		least = got.link[got.n - 1].to_time -
			got.link[got.n - 1].from_time;
	for (int i = 0; i < n; i++) {
		bool starts = l[i].from_time >= which->from &&
			l[i].from_time < which->to;
		bool ends =
			l[i].to_time >= which->from && l[i].to_time < which->to;
		bool touches = l[i].from_time < which->to &&
			l[i].to_time >= which->from;

		if (which->rows != NULL &&
			(!which->rows[l[i].from_row] ||
				!which->rows[l[i].to_row]))
			continue;
		want.starting += starts;
		want.ending += ends;
		want.touching += touches;
		longer += touches && l[i].to_time - l[i].from_time > least;
	}
	wrong = (got.starting != want.starting) + (got.ending != want.ending) +
		(got.touching != want.touching) +
		((uint64_t)got.n !=
			(want.touching < (uint64_t)which->most
					? want.touching
					: (uint64_t)which->most)) +
		(got.n > 0 && longer >= got.n);
	for (int i = 1; i < got.n; i++)
		wrong += got.link[i].to_time - got.link[i].from_time >
			got.link[i - 1].to_time - got.link[i - 1].from_time;
	arena_fini(&a);
	return wrong;
}

TEST(the_longest_links_of_a_window_are_found)
{
	static const uint8_t rows[5] = { 1, 0, 1, 1, 0 };
	struct model m = { .seed = 4 };
	const int n = 3000;
	struct link *l = make_links(&m, n);
	int wrong = 0;

	for (int i = 0; i < TEST_ROUNDS(300); i++) {
		int64_t from = model_below(&m, 1500);
		struct index_links which = { from,
			from + 1 + model_below(&m, 300),
			model_percent(&m, 50) ? rows : NULL,
			(int)model_below(&m, 50), 0 };

		wrong += compare_links(&m, l, n, &which);
	}
	CHECK_INT(wrong, 0);
	model_fini(&m);
}

/* Compares the columns of a group with the sums of its rows' columns. */
static int
compare_group(struct model *m, uint32_t group, struct index_range r)
{
	const struct index_group *g = &index_meta(m->ix)->group[group];
	struct index_column *got, *one;
	struct arena a = { 0 };
	int64_t time[64][INDEX_CLASSES] = { 0 };
	uint64_t changes[64] = { 0 };
	int wrong = 0;

	if (!index_group_columns(&m->q, &a, group, 0, r, &got))
		return 1;
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t s = index_series(m->ix, g->rows[i], 0, 0);

		if (s != INDEX_NONE && !index_columns(&m->q, &a, s, r, &one))
			return 1;
		for (int j = 0; j < r.n; j++) {
			if (s == INDEX_NONE) {
				if (m->plan.kind == TYPE_POINT)
					continue;
				time[j][INDEX_CLASS_NONE] +=
					max(0, got[j].to - got[j].from);
				continue;
			}
			changes[j] += one[j].changes;
			for (int k = 0; k < one[j].nshares; k++)
				time[j][one[j].share[k].class] +=
					one[j].share[k].time;
		}
	}
	for (int j = 0; j < r.n; j++) {
		wrong += got[j].changes != changes[j];
		for (int k = 0; k < got[j].nshares; k++)
			time[j][got[j].share[k].class] -= got[j].share[k].time;
		for (int k = 0; k < INDEX_CLASSES; k++)
			wrong += time[j][k] != 0;
	}
	arena_fini(&a);
	return wrong;
}

/* Compares groups at random columns of any width; returns the number of wrong
 * integers. */
static int
compare_groups(struct model *m)
{
	int wrong = 0;

	for (uint32_t i = 0; i < 60; i++)
		wrong += compare_group(m, i % index_meta(m->ix)->ngroups,
			(struct index_range){ model_time(m),
				1 + (model_below(m, m->end / 9) >> i % 15),
				64 });
	return wrong;
}

TEST(groups_add_up_their_rows)
{
	struct model_plan plan = { 200, 12, 20000, 20, 0, 10, 0, false,
		TYPE_STATE };
	const struct index_meta *meta;
	struct model m;

	CHECK(model_make(&m, 9, &plan));
	meta = index_meta(m.ix);
	CHECK_INT(meta->ngroups, 5);
	CHECK_INT(meta->group[0].n, 200);
	CHECK_STR(meta->group[2].name, "thread 64-127");
	CHECK_INT(meta->group[4].n, 8);
	CHECK_INT(compare_groups(&m), 0);
	model_fini(&m);
}

/* Compares the same columns when the group answers from its tree's nodes. */
static int
compare_nodes(struct model *m)
{
	int wrong = 0;

	for (uint32_t i = 0; i < TEST_ROUNDS(300); i++) {
		int64_t node = INT64_C(1) << model_below(m, 63);
		struct index_range r = { 0, node, 64 };

		if (node < INT64_MAX / 8)
			r.width *= 1 + model_below(m, 7);
		if (r.width > m->end + 1)
			continue;
		r.from = model_below(m, m->end / r.width + 1) * r.width;
		if (r.from > INT64_MAX -
				64 *
					(r.width < INT64_MAX / 64
							? r.width
							: INT64_MAX / 64))
			continue;
		wrong += compare_group(m, i % index_meta(m->ix)->ngroups, r);
	}
	return wrong;
}

TEST(trees_of_groups_have_the_sums_of_their_rows)
{
	static const struct model_plan large[] = {
		{ 200, 12, 20000, 20, 0, 10, 0, false, TYPE_STATE },
		{ 20, 12, 5000, 1000, 9000000, 10, 0, false, TYPE_STATE },
		{ 9, 500, 9000, 30, 0, 10, 0, false, TYPE_ID },
		{ 30, 9, 3000, INT64_C(1) << 40, 0, 5, 0, false, TYPE_STATE },
		{ 7, 9, 300, 2, 0, 95, 0, false, TYPE_STATE },
		{ 30, 9, 9000, 30, 0, 10, 0, false, TYPE_POINT },
	};
	struct model m;

	model_trees = 0;
	for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
		CHECK(model_make(&m, i, &large[i]));
		CHECK_INT(compare_nodes(&m), 0);
		CHECK_INT(compare_groups(&m), 0);
		model_fini(&m);
	}
	model_trees = UINT64_MAX;
}

TEST(each_node_of_a_tree_has_a_place_of_its_own)
{
	static const uint64_t sizes[] = { 1, 7, 8, 9, 63, 64, 65, 32767, 32768,
		32769, 300000 };
	static uint8_t taken[300000];

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		uint64_t n = sizes[i], places = 0;

		memset(taken, 0, sizeof taken);
		for (uint64_t j = 1; j <= n; j++) {
			uint64_t place = tree_place(j, n);

			places += place < n && taken[place]++ == 0;
		}
		CHECK_INT(places, n);
	}
	/* every 64th node lies beside the one before */
	CHECK_INT(tree_place(192, 4096), tree_place(128, 4096) + 1);
}

/* Compares columns of a group that costs too much with the contents of their
 * blocks of time; returns the number of wrong columns. */
static int
compare_blocks(struct model *m, uint32_t group, struct index_range r)
{
	struct index_column *c, *want;
	int64_t block;
	int wrong = 0;

	m->q.group_budget = 1;
	if (!index_group_columns(&m->q, &m->arena, group, 0, r, &c) ||
		m->q.coarse <= 0)
		return r.n;
	block = (r.width & -r.width) << m->q.coarse;
	m->q.group_budget = 0;
	for (int i = 0; i < r.n; i++) {
		int64_t from = (r.from + i * r.width) / block * block;
		struct index_range one = { from, block, 1 };

		if (!index_group_columns(
			    &m->q, &m->arena, group, 0, one, &want))
			return r.n;
		wrong += m->q.coarse != 0 || block < r.width ||
			c[i].from != from || c[i].to != want->to ||
			c[i].changes != want->changes ||
			c[i].nshares != want->nshares ||
			memcmp(c[i].share, want->share,
				(size_t)want->nshares * sizeof *want->share) !=
				0;
	}
	return wrong;
}

/* If a group costs too much, each column names the longer time that it stands
 * for. */
TEST(coarse_columns_of_groups_are_exact_for_the_time_that_they_name)
{
	struct model_plan plan = { 200, 12, 20000, 20, 0, 10, 0, false,
		TYPE_STATE };
	static const int64_t widths[] = { 1, 3, 4, 7, 10, 28, 40, 80, 96 };
	struct model m;

	model_trees = 0;
	CHECK(model_make(&m, 9, &plan));
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		CHECK_INT(compare_blocks(&m, 0,
				  (struct index_range){
					  256 * widths[i], widths[i], 64 }),
			0);
	/* Columns of leaves are never coarse; rows that cost little are read.
	 */
	m.q.group_budget = 1;
	CHECK_INT(compare_group(&m, 0, (struct index_range){ 1024, 1024, 64 }),
		0);
	CHECK_INT(m.q.coarse, 0);
	m.q.group_budget = 100000;
	CHECK_INT(compare_group(&m, 0, (struct index_range){ 1024, 4, 64 }), 0);
	CHECK_INT(m.q.coarse, 0);
	m.q.group_budget = 0;
	model_trees = UINT64_MAX;
	model_fini(&m);
}

/* Rows of the test below: each has a record or two. The value of row r is
 * r % VALUES from time r on; every fifth row has value VALUES from time r +
 * LATER on. */
#define MANY TEST_ROUNDS(1000000)
#define VALUES 7
#define LATER 1000

/* Returns the time in [a, b) of a class of row r. */
static int64_t
time_of(int64_t r, int class, int64_t a, int64_t b)
{
	int64_t from = r, to = INT64_MAX;

	if (class == VALUES)
		from = r % 5 == 0 ? r + LATER : INT64_MAX;
	else if (r % VALUES != class)
		return 0;
	else if (r % 5 == 0)
		to = r + LATER;
	return max(0, min(b, to) - max(a, from));
}

static bool
make_many(struct model *m)
{
	struct sink *s = model_sink(m);
	struct err err = { 0 };

	for (int64_t t = 0; t < MANY + LATER; t++) {
		int64_t later = t - LATER;

		if (t < MANY)
			sink_state(s,
				&(struct record){ .time = t,
					.row = (uint32_t)t,
					.value = t % VALUES });
		if (later >= 0 && later % 5 == 0)
			sink_state(s,
				&(struct record){ .time = t,
					.row = (uint32_t)later,
					.value = VALUES });
	}
	m->end = MANY + LATER;
	sink_advance(s, m->end);
	return sink_close(s, &err) && model_open(m);
}

/* Compares a column that sums some rows with the records. */
static int
compare_many(const struct index_column *c, int64_t first, int64_t n)
{
	int64_t want[VALUES + 1] = { 0 };
	int wrong = 0;

	for (int64_t r = first; r < first + n; r++)
		for (int class = 0; class <= VALUES; class ++)
			want[class] += time_of(r, class, c->from, c->to);
	for (int i = 0; i < c->nshares; i++) {
		if (c->share[i].class > VALUES)
			continue;
		wrong += c->share[i].time != want[c->share[i].class];
		want[c->share[i].class] = 0;
	}
	for (int class = 0; class <= VALUES; class ++)
		wrong += want[class] != 0;
	return wrong;
}

TEST(very_many_series_are_summed_as_their_records)
{
	struct model m = { .seed = 5, .plan = { .nrows = MANY } };
	struct index_column *c;
	int wrong = 0;

	model_trees = 0;
	m.dir = dir_make(&m.arena);
	CHECK(make_many(&m));
	CHECK_INT(index_meta(m.ix)->nseries, MANY);
	for (int i = 0; i < TEST_ROUNDS(2000); i++) {
		int64_t r = model_below(&m, MANY);
		struct index_range range = { r - model_below(&m, 2000),
			1 + model_below(&m, 900), 3 };

		CHECK(index_columns(&m.q, &m.arena,
			index_series(m.ix, (uint32_t)r, 0, 0), range, &c));
		for (int j = 0; j < range.n; j++)
			wrong += compare_many(&c[j], r, 1);
	}
	for (int i = 0; i < TEST_ROUNDS(200); i++) {
		uint32_t group = 1 + (uint32_t)model_below(&m, MANY / 64);
		int64_t first = index_meta(m.ix)->group[group].rows[0];
		int64_t width = INT64_C(1) << model_below(&m, 14);
		struct index_range range = { first / width * width, width, 4 };

		CHECK(index_group_columns(&m.q, &m.arena, group, 0, range, &c));
		for (int j = 0; j < range.n; j++)
			wrong += compare_many(&c[j], first, 64);
	}
	CHECK(index_group_columns(&m.q, &m.arena, 0, 0,
		(struct index_range){ 0, 1 << 18, 4 }, &c));
	for (int j = 0; j < 4; j++)
		wrong += compare_many(&c[j], 0, MANY);
	CHECK_INT(wrong, 0);
	model_trees = UINT64_MAX;
	model_fini(&m);
}

TEST_MAIN(RUN(quantities_are_those_of_the_records),
	RUN(values_before_and_after_classes_run_out_add_up),
	RUN(the_longest_links_of_a_window_are_found),
	RUN(groups_add_up_their_rows),
	RUN(trees_of_groups_have_the_sums_of_their_rows),
	RUN(each_node_of_a_tree_has_a_place_of_its_own),
	RUN(coarse_columns_of_groups_are_exact_for_the_time_that_they_name),
	RUN(very_many_series_are_summed_as_their_records))
