/* SPDX-License-Identifier: MIT */
/* Compares every integer of an index with the records that it was made from. */
#include "test.h"

#include "export/index/sums.h"
#include "index_model.h"

#define NS(n) INT64_C(n)

static const struct model_plan plans[] = {
	{ 1, 1, 1, 10, 0, 0, 0, false, TYPE_STATE },
	{ 1, 5, 300, 10, 0, 20, 0, false, TYPE_STATE },
	{ 3, 20, 20000, 50, 100000, 10, 0, false, TYPE_STATE },
	{ 40, 40, 30000, 200, 0, 30, 0, false, TYPE_STATE },
	{ 2, 9, 20000, NS(1) << 40, NS(1) << 45, 5, 0, false, TYPE_STATE },
	{ 2, 9, 300, NS(1) << 52, NS(1) << 61, 5, 0, false, TYPE_STATE },
	{ 5, 2000, 30000, 30, 0, 10, 0, false, TYPE_STATE },
	{ 4, 100, 40000, 3000, 0, 10, 0, false, TYPE_STATE },
	{ 1, 4, 30000, 2, 0, 90, 0, false, TYPE_STATE },
	{ 200, 12, 40000, 20, 0, 10, 20000, false, TYPE_STATE },
	{ 5, 300, 30000, 30, 0, 10, 0, true, TYPE_STATE },
	{ 4, 50, 30000, 30, 0, 10, 0, true, TYPE_ID },
	{ 4, 12, 30000, 30, 0, 30, 0, false, TYPE_POINT },
	{ 3, 900, 20000, 30, 0, 10, 0, true, TYPE_POINT },
	{ 3, 60, 30000, 70, 5000, 10, 0, false, TYPE_NUMBER },
	{ 2, 60, 20000, NS(1) << 40, NS(1) << 50, 10, 0, true, TYPE_NUMBER },
	{ 2, 60, 200, NS(1) << 52, NS(1) << 60, 10, 0, true, TYPE_NUMBER },
	{ 30, 60, 30000, 9, 0, 40, 9000, true, TYPE_NUMBER },
};
#define NPLANS (int)(sizeof plans / sizeof *plans)

struct want {
	uint64_t time[INDEX_CLASSES], changes;
};

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

/* Returns what a column [a, b) inside of the trace must show. */
static struct want
brute(const struct model *m, const struct model_series *s, int64_t a, int64_t b)
{
	const struct index_type *t = &index_meta(m->ix)->type[0];
	struct want w = { 0 };
	int i = model_before(s, a, true);
	bool point = m->plan.kind == TYPE_POINT;

	/* every record of the column is a change, also those at its start */
	w.changes = (uint64_t)(model_before(s, b, false) -
		model_before(s, a, false));
	if (point)
		i = model_before(s, a, false) + 1;
	for (; i < s->at.n && (i < 0 || s->at.at[i].time < b); i++) {
		int64_t from = i < 0 ? 0 : s->at.at[i].time;
		int64_t to = i + 1 < s->at.n ? s->at.at[i + 1].time : b;
		int64_t value = i < 0 ? VALUE_NONE : s->at.at[i].value;

		if (point)
			w.time[index_class(t, value)]++;
		else
			w.time[index_class(t, value)] +=
				(uint64_t)max(0, min(to, b) - max(from, a));
	}
	if (point)
		w.time[INDEX_CLASS_NONE] = 0;
	return w;
}

static bool
is_equal(const struct index_column *c, const struct want *w)
{
	uint64_t time[INDEX_CLASSES] = { 0 };

	for (int i = 0; i < c->nshares; i++) {
		if (i > 0 && c->share[i].class <= c->share[i - 1].class)
			return false;
		time[c->share[i].class] = (uint64_t)c->share[i].time;
	}
	return c->changes == w->changes &&
		memcmp(time, w->time, sizeof time) == 0;
}

/* Returns a random range of columns. */
static struct index_range
random_range(struct model *m)
{
	static const int columns[] = { 1, 50, 300 };
	struct index_range r = { .from = model_time(m) };
	int shift = (int)model_below(m, 62);

	r.n = columns[model_below(m, m->end < NS(1) << 58 ? 3 : 2)];
	r.width = 1 + model_below(m, NS(1) << shift);
	r.width = min(r.width, m->end / 60 + 2);
	if (model_percent(m, 20)) {
		r.from = -model_below(m, model_percent(m, 50) ? 100 : 1);
		r.width = m->end / r.n + 1;
	}
	return r;
}

/* Compares the columns of one row at one zoom; returns the number of wrong
 * ones. */
static int
compare_columns(struct model *m, uint32_t row, struct index_range r)
{
	uint32_t series = index_series(m->ix, row, 0, 0);
	struct arena a = { 0 };
	struct index_column *c;
	int wrong = 0;

	if (!index_columns(&m->q, &a, series, r, &c)) {
		printf("# row %u: %s\n", row, index_query_text(&m->q));
		return r.n;
	}
	for (int i = 0; i < r.n; i++) {
		int64_t from = max(0, r.from + i * r.width);
		int64_t to = min(m->end, r.from + (i + 1) * r.width);
		struct want w;

		if (from >= to) {
			wrong += c[i].from < c[i].to;
			continue;
		}
		w = brute(m, &m->series[row], from, to);
		if (c[i].from != from || c[i].to != to || !is_equal(&c[i], &w))
			wrong++;
	}
	arena_fini(&a);
	return wrong;
}

TEST(times_of_classes_are_those_of_the_records)
{
	struct model m;

	for (int p = 0; p < NPLANS; p++) {
		struct sums kept;
		int wrong = 0;

		if (plans[p].kind == TYPE_NUMBER)
			continue;
		CHECK(model_make(&m, (uint64_t)p, &plans[p]));
		sums_init(&kept, &m.arena, 60);
		for (int i = 0; i < 90; i++) {
			uint32_t row = (uint32_t)model_below(&m, m.plan.nrows);

			m.q.sums = i % 3 == 0 ? NULL : &kept;
			if (m.series[row].at.n > 0)
				wrong += compare_columns(
					&m, row, random_range(&m));
		}
		if (wrong > 0)
			printf("# plan %d\n", p);
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

/* Compares one interval at a time; returns the number of wrong integers. */
static int
compare_at(struct model *m, uint32_t row, int64_t t)
{
	const struct model_series *s = &m->series[row];
	struct index_interval iv;
	int64_t at = max(0, min(t, m->end - 1));
	int i = model_before(s, at, true);
	int64_t to = i + 1 < s->at.n ? s->at.at[i + 1].time : m->end;

	if (!index_at(&m->q, index_series(m->ix, row, 0, 0), t, &iv))
		return 1;
	return (iv.from != (i < 0 ? 0 : s->at.at[i].time)) + (iv.to != to) +
		(iv.value != (i < 0 ? VALUE_NONE : s->at.at[i].value)) +
		(iv.number != (i < 0 ? UINT64_MAX : (uint64_t)i));
}

static int64_t
length_at(const struct model *m, const struct model_series *s, int i)
{
	return (i + 1 < s->at.n ? s->at.at[i + 1].time : m->end) -
		s->at.at[i].time;
}

/* Returns the length of one of the intervals. */
static int64_t
length_of(struct model *m, const struct model_series *s)
{
	return length_at(m, s, (int)model_below(m, s->at.n));
}

static bool
is_sought(const struct model *m, const struct model_series *s, int i,
	const struct index_sought *sought)
{
	int64_t length = length_at(m, s, i);

	return (sought->value == NULL || s->at.at[i].value == *sought->value) &&
		length >= sought->least && length <= sought->most;
}

static int
compare_step(struct model *m, uint32_t row, int64_t t, bool forward)
{
	const struct model_series *s = &m->series[row];
	int i = forward ? model_before(s, t, true) + 1
			: model_before(s, t, false);
	int64_t value = s->at.at[model_below(m, s->at.n)].value;
	const struct index_sought sought = {
		.value = model_percent(m, 30) ? NULL : &value,
		.least = model_percent(m, 50) ? 0 : length_of(m, s),
		.most = model_percent(m, 50) ? INT64_MAX : length_of(m, s)
	};
	struct index_interval iv;

	while (i >= 0 && i < s->at.n && !is_sought(m, s, i, &sought))
		i += forward ? 1 : -1;
	if (!index_step(&m->q, index_series(m->ix, row, 0, 0), t, forward,
		    &sought, &iv))
		return 1;
	if (i < 0 || i >= s->at.n)
		return iv.number != UINT64_MAX;
	return (iv.number != (uint64_t)i) + (iv.from != s->at.at[i].time) +
		(iv.value != s->at.at[i].value) +
		(iv.to != (i + 1 < s->at.n ? s->at.at[i + 1].time : m->end));
}

TEST(intervals_are_those_between_records)
{
	struct model m;

	for (int p = 0; p < NPLANS; p++) {
		int wrong = 0;

		CHECK(model_make(&m, (uint64_t)p + 100, &plans[p]));
		for (int i = 0; i < 400; i++) {
			uint32_t row = (uint32_t)model_below(&m, m.plan.nrows);
			int64_t t = model_time(&m);

			if (m.series[row].at.n == 0)
				continue;
			wrong += compare_at(&m, row, t);
			wrong += compare_step(&m, row, t, true);
			wrong += compare_step(&m, row, t, false);
		}
		if (wrong > 0)
			printf("# plan %d\n", p);
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

struct seen {
	const struct model_series *s;
	int i; /* the next record */
	int64_t end;
	int wrong;
};

static bool
see(void *arg, const struct index_interval *iv)
{
	struct seen *seen = arg;
	const struct model_series *s = seen->s;
	int i = seen->i++;

	seen->wrong += iv->from != (i < 0 ? 0 : s->at.at[i].time) ||
		iv->value != (i < 0 ? VALUE_NONE : s->at.at[i].value) ||
		iv->to !=
			(i + 1 < s->at.n ? s->at.at[i + 1].time : seen->end) ||
		iv->number != (i < 0 ? UINT64_MAX : (uint64_t)i);
	return true;
}

/* Compares all intervals of a window, and the times of its values. */
static int
compare_window(struct model *m, uint32_t row, int64_t from, int64_t to)
{
	const struct model_series *s = &m->series[row];
	struct arena a = { 0 };
	uint32_t series = index_series(m->ix, row, 0, 0);
	struct seen seen = { s, model_before(s, max(from, 0), false), m->end,
		0 };
	struct index_times times;
	int64_t sum = 0;

	/* No interval reaches into the window if a record lies at its start. */
	if (seen.i + 1 < s->at.n && s->at.at[seen.i + 1].time == max(from, 0))
		seen.i++;
	if (!index_intervals(&m->q, series, from, to, see, &seen) ||
		!index_by_value(&m->q, &a, series,
			(struct index_window){ from, to, false }, &times))
		return 1;
	from = max(from, 0);
	if (from < min(to, m->end))
		seen.wrong +=
			seen.i != model_before(s, min(to, m->end), false) + 1;
	for (int i = 0; i < times.n; i++) {
		sum += times.at[i].time;
		seen.wrong +=
			i > 0 && times.at[i].value <= times.at[i - 1].value;
	}
	seen.wrong += sum != max(0, min(to, m->end) - from);
	arena_fini(&a);
	return seen.wrong;
}

TEST(windows_have_all_their_intervals)
{
	struct model m;

	for (int p = 0; p < NPLANS; p++) {
		int wrong = 0;

		CHECK(model_make(&m, (uint64_t)p + 200, &plans[p]));
		for (int i = 0; i < 60 && m.plan.kind != TYPE_POINT; i++) {
			uint32_t row = (uint32_t)model_below(&m, m.plan.nrows);
			int64_t from = model_time(&m), to = model_time(&m);

			if (m.series[row].at.n > 0)
				wrong += compare_window(&m, row, from, to);
		}
		if (wrong > 0)
			printf("# plan %d\n", p);
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

/* The lengths of the intervals of a value, by what index_intervals() lists. */
struct listed {
	VEC(struct index_length) at;
	struct arena *arena;
	int64_t end;
};

static bool
list_interval(void *arg, const struct index_interval *iv)
{
	struct listed *l = arg;
	int64_t length = min(iv->to, l->end) - iv->from;
	int i = 0;

	while (i < l->at.n && l->at.at[i].value != iv->value)
		i++;
	if (i == l->at.n)
		VEC_PUSH(&l->at, l->arena,
			((struct index_length){ iv->value, 0, length, 0 }));
	l->at.at[i].count++;
	l->at.at[i].min = min(l->at.at[i].min, length);
	l->at.at[i].max = max(l->at.at[i].max, length);
	return true;
}

/* Compares the lengths of a series. Returns how many are wrong; adds to *known
 * if the index keeps them. */
static int
compare_lengths(struct model *m, uint32_t row, int *known)
{
	struct arena a = { 0 };
	uint32_t series = index_series(m->ix, row, 0, 0);
	struct listed want = { .arena = &a, .end = m->end };
	const struct index_length *got;
	int n, wrong = 0;

	if (!index_lengths(&m->q, &a, series, &got, &n) ||
		!index_intervals(
			&m->q, series, 0, m->end, list_interval, &want))
		return 1;
	*known += n > 0;
	wrong += n > 0 && n != want.at.n;
	for (int i = 0; i < n; i++) {
		int k = 0;

		while (k < want.at.n && want.at.at[k].value != got[i].value)
			k++;
		wrong += k == want.at.n ||
			want.at.at[k].count != got[i].count ||
			want.at.at[k].min != got[i].min ||
			want.at.at[k].max != got[i].max;
	}
	arena_fini(&a);
	return wrong;
}

TEST(lengths_of_long_series_are_those_of_their_intervals)
{
	static const struct model_plan of[] = {
		{ .nrows = 2,
			.nvalues = 5,
			.nrecords = 40000,
			.most = 9,
			.repeat = 20 },
		/* All records lie in a few moments, many at the end. */
		{ .nrows = 1,
			.nvalues = 3,
			.nrecords = 40000,
			.most = 2,
			.repeat = 99 },
		{ .nrows = 3,
			.nvalues = 20,
			.nrecords = 90000,
			.most = 90,
			.repeat = 50,
			.budget = 4096 },
		{ .nrows = 1, .nvalues = 300, .nrecords = 40000, .most = 9 },
	};
	struct model m;

	for (int p = 0; p < 12; p++) {
		int wrong = 0, known = 0;

		CHECK(model_make(&m, (uint64_t)p + 300, &of[p % 4]));
		for (uint32_t row = 0; row < (uint32_t)m.plan.nrows; row++)
			if (m.series[row].at.n > 0)
				wrong += compare_lengths(&m, row, &known);
		if (wrong > 0)
			printf("# plan %d\n", p % 4);
		CHECK_INT(wrong, 0);
		CHECK(p % 4 == 3 ? known == 0 : p % 4 == 2 || known > 0);
		model_fini(&m);
	}
}

TEST_MAIN(RUN(times_of_classes_are_those_of_the_records),
	RUN(intervals_are_those_between_records),
	RUN(windows_have_all_their_intervals),
	RUN(lengths_of_long_series_are_those_of_their_intervals))
