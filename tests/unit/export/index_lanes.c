/* SPDX-License-Identifier: MIT */
/* Compares the lanes of stacks with brute force: lane 1 shares records with
 * lane 0 until a stack gets deeper. Rows share chunks that are equal, and
 * follow other rows. */
#include "test.h"

#include "export/index/reader.h"
#include "index_model.h"

enum {
	LANES = 4,
	ROWS = 4,
	RECORDS = 12000,
	STEP = 7,
	END = (RECORDS + 1) * STEP
};

/* What each row and lane shows at each time; 0: nothing. Lane 0 is the value of
 * the records. */
static int16_t shown[ROWS][LANES][END];

struct row_state {
	int64_t stack[LANES];
	uint32_t depth;
};

/* Returns the deepest stack of a row at its i-th record. Row 0 stays flat, row
 * 1 gets deeper in its third chunk, row 2 at once, row 3 while its first chunk
 * is open. */
static uint32_t
deepest(int row, int i)
{
	static const int from[ROWS] = { RECORDS, 9000, 0, 2000 };

	return i >= from[row] ? LANES - 1 : 1;
}

/* Pushes or pops a value. */
static void
change(struct model *m, struct row_state *s, uint32_t most, int64_t nvalues)
{
	bool push = s->depth == 0 || (s->depth < most && model_percent(m, 50));

	if (push)
		s->stack[s->depth++] = 1 + model_below(m, nvalues);
	else
		s->depth--;
}

/* Notes what the lanes of a row show until the next record at the latest. */
static void
paint(int row, int64_t from, const struct record *r)
{
	bool hidden = r->stack == NULL;

	for (uint32_t lane = 0; lane < LANES; lane++) {
		int64_t value = r->value == VALUE_NONE ? 0 : r->value;

		if (lane > 0)
			value = hidden || lane > r->depth ? 0
							  : r->stack[lane - 1];
		for (int64_t t = from; t < from + STEP; t++)
			shown[row][lane][t] = (int16_t)value;
	}
}

/* Writes the records of all rows. Rows are hidden from time to time. */
static void
write_records(struct model *m, struct sink *s, int64_t nvalues)
{
	struct row_state state[ROWS] = { 0 };
	int64_t time = 0;

	for (int i = 0; i < RECORDS; i++) {
		for (int row = 0; row < ROWS; row++) {
			struct row_state *of = &state[row];
			struct record r = { .row = (uint32_t)row };

			change(m, of, deepest(row, i), nvalues);
			r.time = time;
			r.depth = of->depth;
			r.stack = of->stack;
			r.value = of->depth == 0 ? VALUE_NONE
						 : of->stack[of->depth - 1];
			if (model_percent(m, 2)) {
				r.stack = NULL;
				r.value = VALUE_NONE;
			}
			sink_state(s, &r);
			paint(row, time, &r);
		}
		time += model_below(m, STEP);
	}
	m->end = time;
	sink_advance(s, time);
}

/* Compares the times of all values of a lane in a window. */
static bool
agrees(struct model *m, int row, int lane, int64_t from, int64_t to)
{
	uint32_t series = index_series(m->ix, (uint32_t)row, 0, (uint32_t)lane);
	static int64_t want[INT16_MAX + 1];
	struct arena a = { 0 };
	struct index_times times;
	bool ok = true;

	memset(want, 0, sizeof want);
	for (int64_t t = from; t < to; t++)
		want[shown[row][lane][t]]++;
	if (series == INDEX_NONE)
		return want[0] == to - from;
	if (!index_by_value(&m->q, &a, series,
		    (struct index_window){ from, to, false }, &times))
		return false;
	for (int i = 0; i < times.n; i++) {
		const struct index_time *t = &times.at[i];
		int64_t value = t->value == VALUE_NONE ? 0 : t->value;

		ok = ok && t->time == want[value];
		to -= t->time;
	}
	arena_fini(&a);
	return ok && to == from;
}

/* How rows 1 and 3 part with rows 0 and 2, whose records they have until then.
 */
struct parting {
	int at; /* number of the first record that may differ */
	enum how {
		PART_OTHER, /* it is another one */
		PART_NONE,  /* it is missing */
		PART_LATER, /* it comes later */
		PART_DEPTH, /* its stack is less deep; the value is the same */
		PARTINGS
	} how;
};

/* Returns how a row parts if it does so now. */
static enum how
parts(struct parting p, int row, int i)
{
	return row % 2 == 1 && i == p.at ? p.how : PART_OTHER;
}

/* Pushes the value that is there. */
static void
push_again(struct row_state *s, uint32_t most)
{
	if (s->depth > 0 && s->depth < most) {
		s->stack[s->depth] = s->stack[s->depth - 1];
		s->depth++;
	}
}

/* Makes the stack of a row at its i-th record. */
static void
go_on(struct model *m, struct row_state state[ROWS], int row, int i,
	struct parting p, int64_t nvalues)
{
	uint32_t most = row < 2 ? 1 : deepest(3, i);

	if (row % 2 == 1 && (i < p.at || parts(p, row, i) == PART_LATER))
		state[row] = state[row - 1];
	else if (i == p.at && p.how == PART_DEPTH && row % 2 == 0)
		push_again(&state[row], most);
	else if (parts(p, row, i) == PART_OTHER)
		change(m, &state[row], most, nvalues);
}

/* Writes the records of both pairs of rows. */
static void
write_pairs(struct model *m, struct sink *s, int64_t nvalues, struct parting p)
{
	struct row_state state[ROWS] = { 0 };
	int64_t time = 0;

	for (int i = 0; i < RECORDS; i++) {
		for (int row = 0; row < ROWS; row++) {
			struct row_state *of = &state[row];
			struct record r = { .time = time,
				.row = (uint32_t)row };
			enum how how = parts(p, row, i);

			go_on(m, state, row, i, p, nvalues);
			r.time += how == PART_LATER;
			r.depth = of->depth;
			r.stack = of->stack;
			r.value = of->depth == 0 ? VALUE_NONE
						 : of->stack[of->depth - 1];
			if (how != PART_NONE)
				sink_state(s, &r);
			paint(row, r.time, &r);
		}
		time += model_below(m, STEP - 1) + (i == p.at);
	}
	m->end = time;
	sink_advance(s, time);
}

static struct sink *
open_sink(struct model *m, size_t budget)
{
	struct err err = { 0 };
	struct sink *s = sink_index.open(
		&m->arena, m->dir, &(struct sink_setup){ .unit = "ns" }, &err);

	for (uint32_t i = 0; i < ROWS; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", "T", NULL });
	sink_type(s,
		&(struct type){ .class = "thread", .key = "k", .stack = true });
	if (budget > 0)
		index_sink_budget(s, budget);
	return s;
}

/* Compares all lanes in random windows. */
static void
compare_windows(struct model *m, int n)
{
	for (int i = 0; i < n; i++) {
		int64_t from = model_below(m, m->end);
		int64_t to = from + 1 + model_below(m, m->end - from);

		for (int row = 0; row < ROWS; row++)
			for (int lane = 0; lane < LANES; lane++)
				CHECK(agrees(m, row, lane, from, to));
	}
}

static void
compare(int64_t nvalues, size_t budget)
{
	struct model m = { .seed = (uint64_t)nvalues };
	struct err err = { 0 };
	struct sink *s;

	m.dir = dir_make(&m.arena);
	s = open_sink(&m, budget);
	write_records(&m, s, nvalues);
	CHECK(sink_close(s, &err));
	CHECK(model_open(&m));
	CHECK_INT(index_meta(m.ix)->nrecords, ROWS * RECORDS);
	CHECK_INT(index_meta(m.ix)->type[0].lanes, LANES - 1);
	CHECK_INT(index_series(m.ix, 0, 0, 2), INDEX_NONE);
	compare_windows(&m, 100);
	model_fini(&m);
}

static void
compare_pairs(int64_t nvalues, size_t budget, struct parting p)
{
	struct model m = { .seed = (uint64_t)p.at };
	struct err err = { 0 };
	uint64_t lost = p.how == PART_NONE && p.at < RECORDS ? ROWS / 2 : 0;
	struct sink *s;

	m.dir = dir_make(&m.arena);
	s = open_sink(&m, budget);
	write_pairs(&m, s, nvalues, p);
	CHECK(sink_close(s, &err));
	CHECK(model_open(&m));
	CHECK_INT(index_meta(m.ix)->nrecords, ROWS * RECORDS - lost);
	compare_windows(&m, 4);
	model_fini(&m);
}

/* An emulated processor is slow; 4 leaves the first record and the last one. */
#ifdef __aarch64__
enum { EACH = 4 };
#else
enum { EACH = 1 };
#endif

TEST(rows_follow_others_until_they_part)
{
	/* Rows 2 and 3 get deeper at record 2000; chunks have 4096. */
	static const int at[] = { 0, 1, 2, 9, 16, 17, 300, 1999, 2000, 2001,
		2002, 4095, 4096, 4097, 8192, 9000, RECORDS };

	for (size_t i = 0; i < sizeof at / sizeof *at; i += EACH)
		for (int how = 0; how < PARTINGS; how++) {
			struct parting p = { at[i], (enum how)how };

			compare_pairs(9, 0, p);
			compare_pairs(9, 3000, p);
			compare_pairs(600, 0, p);
		}
}

TEST(lanes_show_what_their_stacks_had)
{
	compare(9, 0);
}

TEST(values_may_share_classes)
{
	compare(3000, 0);
}

TEST(chunks_may_be_short)
{
	compare(9, 3000);
}

/* Adds a record to row 0, and the same one or another one to row 1. */
static void
put_twice(struct sink *s, int64_t i, bool equal)
{
	int64_t value = i * i % 7;

	for (uint32_t row = 0; row < 2; row++)
		sink_state(s,
			&(struct record){ .time = i * i,
				.row = row,
				.value = equal || row == 0 ? value
							   : 6 - value });
}

/* Returns the bytes of an index of two rows whose first n records are equal. */
static uint64_t
bytes_of_two(struct model *m, int64_t n)
{
	struct err err = { 0 };
	struct sink *s;

	m->dir = dir_make(&m->arena);
	s = open_sink(m, 0);
	for (int64_t i = 0; i < 40000; i++)
		put_twice(s, i, i < n);
	sink_advance(s, 40000LL * 40000);
	CHECK(sink_close(s, &err));
	CHECK(model_open(m));
	return index_meta(m->ix)->bytes;
}

TEST(rows_share_the_chunks_that_are_equal)
{
	struct model all = { 0 }, half = { 0 }, none = { 0 };
	uint64_t most = bytes_of_two(&none, 0);
	uint64_t some = bytes_of_two(&half, 20000);

	CHECK(bytes_of_two(&all, 40000) < most * 55 / 100);
	CHECK(some < most * 85 / 100 && some > most * 70 / 100);
	for (int64_t i = 1; i < 40000; i += 7) {
		struct index_interval x, y;

		CHECK(index_at(
			&half.q, index_series(half.ix, 0, 0, 0), i * i, &x));
		CHECK(index_at(
			&half.q, index_series(half.ix, 1, 0, 0), i * i, &y));
		CHECK_INT(x.value, i * i % 7);
		CHECK_INT(y.value, i < 20000 ? x.value : 6 - x.value);
		CHECK(x.from == i * i && y.from == i * i);
	}
	model_fini(&all);
	model_fini(&half);
	model_fini(&none);
}

/* Makes an index of six threads and six CPUs, whose trees have their own types.
 * The last CPU has another record than its thread, unless they are all equal.
 */
static void
make_groups(struct model *m, bool equal)
{
	struct err err = { 0 };
	struct sink *s;

	m->dir = dir_make(&m->arena);
	s = sink_index.open(
		&m->arena, m->dir, &(struct sink_setup){ .unit = "ns" }, &err);
	for (uint32_t i = 0; i < 12; i++)
		sink_row(s,
			&(struct row){ i, ROW_NONE, i < 6 ? "thread" : "cpu",
				"R", NULL });
	sink_type(s, &(struct type){ 0, .class = "thread", .key = "k" });
	sink_type(s, &(struct type){ 1, .class = "cpu", .key = "k" });
	index_sink_trees(s, 0, 20);
	for (uint32_t i = 0; i < 12000; i++) {
		struct record r = { .time = i,
			.row = i / 2 % 6 + i % 2 * 6,
			.type = i % 2,
			.value = 1 + i / 2 % 5 };

		r.time -= i % 2;
		if (i == 11999 && !equal)
			r.value = 9;
		sink_state(s, &r);
	}
	sink_advance(s, 12000);
	CHECK(sink_close(s, &err));
	CHECK(model_open(m));
}

TEST(groups_of_the_same_chunks_share_a_tree)
{
	struct model equal = { 0 }, other = { 0 };

	make_groups(&equal, true);
	CHECK_INT(equal.ix->trees.n, 2);
	CHECK_INT(equal.ix->trees.at[0].node, equal.ix->trees.at[1].node);
	make_groups(&other, false);
	CHECK_INT(other.ix->trees.n, 2);
	CHECK(other.ix->trees.at[0].node != other.ix->trees.at[1].node);
	model_fini(&equal);
	model_fini(&other);
}

TEST_MAIN(RUN(lanes_show_what_their_stacks_had), RUN(values_may_share_classes),
	RUN(chunks_may_be_short), RUN(rows_follow_others_until_they_part),
	RUN(rows_share_the_chunks_that_are_equal),
	RUN(groups_of_the_same_chunks_share_a_tree))
