/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/arena.h"
#include "export/stat/lines.h"
#include "export/stat/stat.h"

static uint64_t seed;

static uint64_t
any(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static struct sink *
open_stat(struct arena *a, const struct stat_options *o)
{
	struct sink *s = stat_open(a, o);

	sink_row(s, &(struct row){ 0, ROW_NONE, "thread", "TH 1", NULL });
	sink_row(s, &(struct row){ 1, ROW_NONE, "cpu", "CPU 0", NULL });
	sink_row(s, &(struct row){ 2, ROW_NONE, "thread", "TH 2", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "m.id",
			.title = "id",
			.number = 35,
			.kind = TYPE_NUMBER });
	sink_type(s,
		&(struct type){ .id = 1,
			.class = "thread",
			.key = "m.type",
			.title = "type",
			.number = 36 });
	return s;
}

static void
set(struct sink *s, int64_t time, uint32_t row, uint32_t type, int64_t value)
{
	sink_state(s,
		&(struct record){ .time = time,
			.row = row,
			.type = type,
			.value = value });
}

TEST(time_counts_from_the_begin_of_the_window)
{
	struct arena a = { 0 };
	struct sink *s = open_stat(&a, &(struct stat_options){ .from = 100 });
	struct stat_table *t;

	set(s, 120, 0, 1, 7);
	sink_advance(s, 150);
	t = stat_result(s);
	CHECK_INT(t->duration, 50);
	CHECK_INT(t->lanes.n, 1);
	CHECK_INT(t->lanes.at[0].cells.at[0].value, VALUE_NONE);
	CHECK_INT(t->lanes.at[0].cells.at[0].time, 20);
	CHECK_INT(t->lanes.at[0].cells.at[1].time, 30);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(states_without_length_are_counted)
{
	struct arena a = { 0 };
	struct sink *s = open_stat(&a, &(struct stat_options){ 0 });
	const struct stat_cell *c;

	set(s, 10, 0, 1, 7);
	set(s, 10, 0, 1, VALUE_NONE);
	set(s, 10, 0, 1, 8);
	sink_advance(s, 10);
	c = stat_result(s)->lanes.at[0].cells.at;
	CHECK_INT(c[1].value, 7);
	CHECK_INT(c[1].times, 1);
	CHECK_INT(c[2].value, 8);
	CHECK_INT(c[2].times, 1);
	CHECK_INT(c[0].times, 1); /* VALUE_NONE was held for 10 ns */
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

/* A thread that lives twice: from 10 to 30 and from 50 to 60. */
TEST(only_the_time_that_a_thread_lives_counts)
{
	static const struct stat_life life = { "m.type", { 0, 3 } };
	struct arena a = { 0 };
	struct sink *s = open_stat(
		&a, &(struct stat_options){ .numbers = true, .life = &life });
	struct stat_table *t;

	set(s, 10, 0, 1, 1);
	set(s, 20, 0, 0, 5);
	set(s, 30, 0, 1, 3);
	set(s, 50, 0, 1, 1);
	set(s, 60, 0, 1, 3);
	sink_advance(s, 100);
	t = stat_result(s);
	CHECK_INT(t->rows.at[0].lived, 30);
	CHECK_INT(t->rows.at[1].lived, 100); /* a CPU */
	CHECK_INT(t->rows.at[2].lived, 0);
	for (int i = 0; i < 2; i++) {
		struct stat_order order = { .key = STAT_TIME };
		struct stat_lines l = { 0 };

		stat_lines_take(&l, &a, t, i, 0, &order);
		CHECK_INT(l.lived, 30);
		CHECK_INT(l.in_states, i == 0 ? 20 : 30);
		CHECK_INT(l.line.at[0].times, i == 0 ? 1 : 2);
		stat_lines_fini(&l);
	}
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

#define VALUES 3000

/* The lines are exact even if the values do not fit in memory. */
static void
check_largest(size_t cells, int64_t top)
{
	static int64_t time[VALUES];
	static uint64_t times[VALUES];
	struct arena a = { 0 };
	struct stat_options o = { .numbers = true, .cells = cells };
	struct stat_order order = { .key = STAT_TIME, .top = top };
	struct sink *s = open_stat(&a, &o);
	struct stat_lines l = { 0 };
	int64_t now = 0, sum = 0, rest = 0;

	memset(time, 0, sizeof time);
	memset(times, 0, sizeof times);
	for (int i = 0; i < 20000; i++) {
		int64_t v = (int64_t)any(VALUES);
		int64_t n = 1 + (int64_t)any(50);

		set(s, now, i % 2 == 0 ? 0 : 2, 0, v);
		set(s, now + n, i % 2 == 0 ? 0 : 2, 0, VALUE_NONE);
		time[v] += n;
		times[v]++;
		now += n;
	}
	sink_advance(s, now);
	stat_lines_take(&l, &a, stat_result(s), 0, -1, &order);
	CHECK_INT(l.lived, 2 * now);
	CHECK_INT(l.in_states, now);
	for (int64_t i = 0; i < top; i++) {
		int64_t v = l.line.at[i].value;

		CHECK_INT(l.line.at[i].time, time[v]);
		CHECK_INT((int64_t)l.line.at[i].times, (int64_t)times[v]);
		sum += time[v];
		time[v] = -1;
		CHECK(i == 0 || l.line.at[i].time <= l.line.at[i - 1].time);
	}
	for (int i = 0; i < VALUES; i++) {
		CHECK(time[i] <= l.line.at[top - 1].time);
		rest += time[i] > 0;
	}
	CHECK_INT(l.line.at[top].more, rest);
	CHECK_INT(l.line.at[top].time, now - sum);
	CHECK_INT(l.line.at[top + 1].value, VALUE_NONE);
	CHECK_INT(l.line.n, top + 2);
	CHECK_INT(stat_result(s)->over.file.err.kind, ERR_NONE);
	stat_lines_fini(&l);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(the_largest_are_exact_however_many_there_are)
{
	seed = 88172645463325252;
	check_largest(0, 20);
	check_largest(100, 20);
	check_largest(100, 1);
	check_largest(2, 500);
}

TEST(a_table_that_cannot_be_stored_says_so)
{
	struct arena a = { 0 };
	struct stat_options o = {
		.numbers = true, .cells = 1, .dir = "/nowhere"
	};
	struct sink *s = open_stat(&a, &o);

	for (int i = 0; i < 10; i++)
		set(s, i, 0, 0, i);
	sink_advance(s, 10);
	CHECK_INT(stat_result(s)->over.file.err.kind, ERR_SYSTEM);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(numbers_are_counted_when_asked_for)
{
	for (int numbers = 0; numbers < 2; numbers++) {
		struct arena a = { 0 };
		struct stat_options o = { .numbers = numbers };
		struct sink *s = open_stat(&a, &o);

		set(s, 0, 0, 0, 1);
		sink_advance(s, 10);
		CHECK_INT(stat_result(s)->lanes.n, numbers);
		CHECK(sink_close(s, &(struct err){ 0 }));
		arena_fini(&a);
	}
}

TEST(rows_are_numbered_within_their_class)
{
	struct arena a = { 0 };
	struct sink *s = open_stat(&a, &(struct stat_options){ .slices = 1 });
	struct stat_table *t = stat_result(s);

	CHECK_INT(t->rows.at[0].index, 0);
	CHECK_INT(t->rows.at[1].index, 0);
	CHECK_INT(t->rows.at[2].index, 1);
	set(s, 0, 0, 1, 1);
	set(s, 0, 2, 1, 1);
	CHECK(t->lanes.at[0].slices != NULL);
	CHECK(t->lanes.at[1].slices == NULL);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

static void
run_task(struct sink *s, int64_t time, uint32_t row, int64_t id, int64_t type)
{
	set(s, time, row, 0, id);
	set(s, time, row, 1, type);
}

TEST(a_task_that_goes_on_is_one_execution)
{
	static const struct stat_tasks tasks[] = { { "m.id", "m.type" },
		{ NULL, NULL } };
	struct arena a = { 0 };
	struct sink *s =
		open_stat(&a, &(struct stat_options){ .tasks = tasks });
	const struct stat_cell *c;

	run_task(s, 0, 0, 1, 50);
	run_task(s, 10, 0, 2, 50); /* task 2 begins on top of task 1 */
	run_task(s, 20, 0, 1, 50);
	run_task(s, 30, 0, VALUE_NONE, VALUE_NONE); /* pauses */
	run_task(s, 40, 0, 1, 50);
	run_task(s, 50, 0, VALUE_NONE, VALUE_NONE);
	run_task(s, 60, 2, 1,
		50); /* another thread runs task 1, too: a further execution */
	sink_advance(s, 70);
	c = stat_result(s)->lanes.at[0].cells.at;
	CHECK_INT(c[0].value, 50);
	CHECK_INT(c[0].runs, 2);
	CHECK_INT(c[0].time, 40);
	c = stat_result(s)->lanes.at[1].cells.at;
	CHECK_INT(c[0].runs, 1);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

/* Returns the value with the most time among some slices. */
struct most {
	int64_t value[SLICES_MAX], time[SLICES_MAX];
	int n;
};

static void
add_most(void *arg, int64_t value, int64_t time)
{
	struct most *m = arg;
	int i = 0;

	while (i < m->n && m->value[i] != value)
		i++;
	m->n += i == m->n;
	m->value[i] = value;
	m->time[i] += time;
}

static int64_t
most_of(const struct slices *s, int first, int n)
{
	static struct most m;
	int best = 0;

	m = (struct most){ .n = 0 };
	slices_each(s, first, n, add_most, &m);
	for (int i = 1; i < m.n; i++)
		if (m.time[i] > m.time[best])
			best = i;
	return m.n == 0 ? VALUE_NONE : m.value[best];
}

/* The record of the task's type may come before the other records, or be
 * missing if the type stays the same. */
TEST(every_execution_is_counted_once_in_any_order)
{
	static const struct stat_tasks tasks[] = { { "m.id", "m.type" },
		{ NULL, NULL } };
	struct arena a = { 0 };
	struct sink *s =
		open_stat(&a, &(struct stat_options){ .tasks = tasks });
	const struct stat_cell *c;

	set(s, 10, 0, 1, 50);
	set(s, 10, 0, 0,
		1); /* a worker begins its first task: id 1 of type 50 */
	set(s, 20, 0, 1, VALUE_NONE);
	set(s, 20, 0, 0, VALUE_NONE);
	set(s, 20, 0, 1, 60);
	set(s, 20, 0, 0, 2);
	set(s, 30, 0, 0,
		3); /* task 3 has the same type, so the type has no record */
	set(s, 40, 0, 0, 4);
	set(s, 40, 0, 1, 50);
	sink_advance(s, 70);
	c = stat_result(s)->lanes.at[0].cells.at;
	CHECK_INT(c[1].value, 50);
	CHECK_INT(c[1].runs, 2);
	CHECK_INT(c[2].value, 60);
	CHECK_INT(c[2].runs, 2);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

#define SPAN 3000

/* Compares the value at each time of a span with the slices. */
static void
check_slices(int64_t from, int64_t longest, int values)
{
	static int64_t at[SPAN];
	struct arena a = { 0 };
	struct slices s = { .from = from, .width = 1 };
	int64_t end = 0;

	while (end < SPAN - longest) {
		int64_t n = 1 + (int64_t)any((uint64_t)longest);
		int64_t value = (int64_t)any((uint64_t)values);

		slices_add(&s, &a, from + end, from + end + n, value);
		while (n-- > 0)
			at[end++] = value;
	}
	CHECK(slices_count(&s) <= SLICES_MAX);
	CHECK(slices_count(&s) > SLICES_MAX / 2);
	CHECK_INT((end + s.width - 1) / s.width, slices_count(&s));
	for (int i = 0; i + 3 < slices_count(&s); i += 3) {
		int64_t time[64] = { 0 };
		int64_t most = most_of(&s, i, 3);

		for (int64_t t = i * s.width; t < (i + 3) * s.width; t++)
			time[t < end ? at[t] : 0] += t < end;
		for (int v = 0; v < values; v++)
			CHECK(time[v] <= time[most]);
	}
	arena_fini(&a);
}

TEST(slices_equal_brute_force)
{
	seed = 88172645463325252;
	for (int i = 0; i < 60 && !test_failed; i++)
		check_slices((int64_t)any(1000), 1 + (int64_t)any(300),
			1 + (int)any(60));
}

TEST(slices_reach_to_the_end_of_time)
{
	struct arena a = { 0 };
	struct slices s = { .from = 0, .width = 1 };

	slices_add(&s, &a, 0, 5, 1);
	slices_add(&s, &a, 5, INT64_MAX, 2);
	CHECK(slices_count(&s) <= SLICES_MAX);
	CHECK_INT(most_of(&s, 0, 1), 2);
	CHECK(s.pieces.n < 3 * SLICES_MAX);
	arena_fini(&a);
}

TEST(a_slice_of_many_values_stays_small)
{
	struct arena a = { 0 };
	struct slices s = { .from = 0, .width = 1 };

	for (int64_t t = 0; t < 200000; t++)
		slices_add(&s, &a, t, t + 1, t);
	CHECK(s.pieces.n <= SLICES_MAX * (SLICE_VALUES + 2));
	CHECK_INT(most_of(&s, 0, 1), VALUE_OTHER);
	arena_fini(&a);
}

/* Lines of values 0..3 with times 5, 40, 20, 40 and 7 of nothing; labels "d",
 * "c", "b" and, again, "b". */
static struct stat_lines
some_lines(
	struct arena *a, struct stat_type *type, const struct stat_order *order)
{
	static const int64_t time[] = { 5, 40, 20, 40 };
	static const uint64_t times[] = { 9, 1, 2, 3 };
	static const char *const label[] = { "d", "c", "b", " b" };
	struct stat_table table = { 0 };
	struct stat_lane lane = { 0 };
	struct stat_lines l = { 0 };

	VEC_PUSH(&lane.cells, a,
		((struct stat_cell){ .value = VALUE_NONE, .time = 7 }));
	for (int i = 0; i < 4; i++) {
		VEC_PUSH(&lane.cells, a,
			((struct stat_cell){ .value = i,
				.time = time[i],
				.times = times[i],
				.runs = (uint64_t)i }));
		*map_put(&type->labels, (uint64_t)i) =
			(uint64_t)(uintptr_t)label[i];
	}
	VEC_PUSH(&table.types, a, *type);
	VEC_PUSH(&table.lanes, a, lane);
	stat_lines_take(&l, a, &table, 0, -1, order);
	return l;
}

static void
check_order(struct stat_order order, const char *want)
{
	struct arena a = { 0 };
	struct stat_type type = { 0 };
	struct stat_lines l = some_lines(&a, &type, &order);
	char got[64];
	size_t n = 0;

	for (int i = 0; i < l.line.n; i++) {
		const struct stat_line *line = &l.line.at[i];

		n += (size_t)snprintf(got + n, sizeof got - n, "%s%lld ",
			line->more > 0                ? "+"
				: line->label != NULL ? line->label
						      : "-",
			(long long)line->time);
	}
	CHECK_STR(got, want);
	CHECK_INT(l.in_states, 105);
	stat_lines_fini(&l);
	map_fini(&type.labels);
	arena_fini(&a);
}

TEST(lines_are_in_the_order_asked_for)
{
	check_order(
		(struct stat_order){ .key = STAT_TIME }, "c40 b40 b20 d5 -7 ");
	check_order(
		(struct stat_order){ .key = STAT_TIMES }, "d5 b40 b20 c40 -7 ");
	check_order((struct stat_order){ .key = STAT_TIMES, .runs = true },
		"b40 b20 c40 d5 -7 ");
	check_order(
		(struct stat_order){ .key = STAT_NAME }, "b20 b40 c40 d5 -7 ");
}

TEST(lines_with_one_label_are_joined)
{
	check_order((struct stat_order){ .join = true }, "b60 c40 d5 -7 ");
}

TEST(lines_that_are_cut_are_added_up)
{
	check_order((struct stat_order){ .top = 1 }, "c40 +65 -7 ");
	check_order((struct stat_order){ .top = 3 }, "c40 b40 b20 +5 -7 ");
	check_order((struct stat_order){ .top = 4 }, "c40 b40 b20 d5 -7 ");
}

TEST_MAIN(RUN(states_without_length_are_counted),
	RUN(only_the_time_that_a_thread_lives_counts),
	RUN(the_largest_are_exact_however_many_there_are),
	RUN(a_table_that_cannot_be_stored_says_so),
	RUN(every_execution_is_counted_once_in_any_order),
	RUN(time_counts_from_the_begin_of_the_window),
	RUN(numbers_are_counted_when_asked_for),
	RUN(rows_are_numbered_within_their_class),
	RUN(a_task_that_goes_on_is_one_execution),
	RUN(slices_equal_brute_force), RUN(slices_reach_to_the_end_of_time),
	RUN(a_slice_of_many_values_stays_small),
	RUN(lines_are_in_the_order_asked_for),
	RUN(lines_with_one_label_are_joined),
	RUN(lines_that_are_cut_are_added_up))
