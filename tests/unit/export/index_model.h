/* SPDX-License-Identifier: MIT */
/*
 * index_model.h - makes random records, their index, and a plain list of the
 * records of each series to compare with.
 */
#ifndef WEFT_TEST_EXPORT_INDEX_MODEL_H
#define WEFT_TEST_EXPORT_INDEX_MODEL_H

#include "base/arena.h"
#include "base/vec.h"
#include "dir.h"
#include "export/index/query.h"
#include "export/index/sink.h"

struct model_record {
	int64_t time, value;
};

struct model_series {
	VEC(struct model_record) at;
	int64_t depth; /* current depth of a stack */
};

struct model_plan {
	int nrows, nvalues, nrecords;
	int64_t most;  /* longest step between records of all rows */
	int64_t pause; /* longer step that occurs now and then; 0: never */
	int repeat;    /* percentage of records that repeat value or time */
	size_t budget; /* bytes of buffers; 0: the default */
	bool wide;     /* values anywhere in 64 bits */
	enum type_kind kind;
};

/* Groups with this many records have trees. */
static uint64_t model_trees = UINT64_MAX;

/* The first record is not before this time. If it is not 0, the trace ends at
 * INT64_MAX. */
static int64_t model_first;

struct model {
	struct arena arena;
	const char *dir;
	uint64_t seed;
	struct model_plan plan;
	struct model_series *series; /* by row */
	int64_t end;
	struct index *ix;
	struct index_query q;
};

static inline uint64_t
model_random(struct model *m)
{
	uint64_t x = m->seed += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static inline int64_t
model_below(struct model *m, int64_t n)
{
	return n <= 0 ? 0 : (int64_t)(model_random(m) % (uint64_t)n);
}

static inline bool
model_percent(struct model *m, int share)
{
	return model_below(m, 100) < share;
}

static inline int64_t
model_value(struct model *m)
{
	static const int64_t limit[] = { INT64_MAX, INT64_MIN + 1, 0, -1, 1,
		INT64_MAX - 1 };

	if (model_percent(m, 15))
		return VALUE_NONE;
	if (m->plan.wide)
		return model_percent(m, 30)
			? limit[model_below(m, 6)]
			: (int64_t)(model_random(m) >> model_below(m, 63));
	return model_below(m, m->plan.nvalues) *
		(model_percent(m, 50) ? 1 : 1000003);
}

static inline struct sink *
model_sink(struct model *m)
{
	struct err err = { 0 };
	struct sink *s = sink_index.open(&m->arena, m->dir,
		&(struct sink_setup){ .unit = "ns", .title = "t\"\n" }, &err);

	for (uint32_t i = 0; i < (uint32_t)m->plan.nrows; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", "T", NULL });
	sink_type(s,
		&(struct type){ .id = 0,
			.class = "thread",
			.key = "k",
			.kind = m->plan.kind });
	if (m->plan.budget > 0)
		index_sink_budget(s, m->plan.budget);
	index_sink_trees(s, model_trees, 20);
	return s;
}

/* Appends a record to one row of the model; some rows are far busier than
 * others. */
static inline void
model_step(struct model *m, struct sink *s, int64_t *time)
{
	int64_t n = m->plan.nrows;
	uint32_t row = (uint32_t)(model_below(m, n) * model_below(m, n) / n);
	struct model_series *to = &m->series[row];
	int64_t value = model_value(m);

	if (!model_percent(m, m->plan.repeat))
		*time += model_below(m, m->plan.most);
	if (m->plan.pause > 0 && model_below(m, 1000) == 0)
		*time += model_below(m, m->plan.pause);
	if (model_percent(m, m->plan.repeat) && to->at.n > 0)
		value = to->at.at[to->at.n - 1].value;
	VEC_PUSH(&to->at, &m->arena, ((struct model_record){ *time, value }));
	sink_state(s,
		&(struct record){ .time = *time, .row = row, .value = value });
}

static inline const char *
model_path(struct model *m)
{
	return arena_printf(&m->arena, "%s/" INDEX_FILE, m->dir);
}

static inline bool
model_open(struct model *m)
{
	struct err err = { 0 };

	m->ix = index_open(&m->arena, model_path(m), &err);
	m->q = (struct index_query){ .ix = m->ix, .budget = INT64_MAX };
	if (m->ix == NULL)
		printf("# %s\n", err.text);
	return m->ix != NULL;
}

/* Makes records and their index, and opens the index. */
static inline bool
model_make(struct model *m, uint64_t seed, const struct model_plan *plan)
{
	struct err err = { 0 };
	struct sink *s;
	int64_t time;

	*m = (struct model){ .seed = seed, .plan = *plan };
	m->dir = dir_make(&m->arena);
	m->series = ARENA_ARRAY(&m->arena, struct model_series, m->plan.nrows);
	s = model_sink(m);
	time = model_first + model_below(m, 2 * plan->most);
	for (int i = 0; i < plan->nrecords; i++)
		model_step(m, s, &time);
	m->end = model_first > 0 ? INT64_MAX
				 : time + model_below(m, 2 * plan->most);
	sink_advance(s, m->end);
	if (!sink_close(s, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	return model_open(m);
}

static inline void
model_fini(struct model *m)
{
	index_close(m->ix);
	dir_remove(&m->arena, m->dir);
	arena_fini(&m->arena);
}

/* Returns a random time, often the time of a record. */
static inline int64_t
model_time(struct model *m)
{
	const struct model_series *s =
		&m->series[model_below(m, m->plan.nrows)];

	if (s->at.n > 0 && model_percent(m, 60))
		return s->at.at[model_below(m, s->at.n)].time +
			model_below(m, 3) - 1;
	return model_below(m, m->end + 2);
}

/* Returns the last record with time < t, or with `at` set time <= t; -1:
 * none. */
static inline int
model_before(const struct model_series *s, int64_t t, bool at)
{
	int low = -1, high = s->at.n;

	while (high - low > 1) {
		int mid = low + (high - low) / 2;

		if (s->at.at[mid].time < t || (at && s->at.at[mid].time == t))
			low = mid;
		else
			high = mid;
	}
	return low;
}

#endif
