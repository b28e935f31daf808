/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>

#include "base/arena.h"
#include "cli/mem/mem.h"
#include "cli/mem/rank.h"
#include "mem/db/profile.h"

#define LEAST_PERCENT 1 /* a line names no statement with less */

/* Returns the most expensive statements: "walk list.c:20 97 %, ...". */
static const char *
statements(const struct mem_report *r, const struct mem_groups *g,
	uint32_t variable, uint64_t all)
{
	const char *text = "";
	int n;
	const struct mem_ranked *m = mem_members(g, variable, &n);

	for (int i = 0; i < n && i < MEM_WORST &&
		(i == 0 || mem_percent(m[i].cost, all) >= LEAST_PERCENT);
		i++) {
		const struct code_location *p =
			profile_location(r->profile, m[i].with);

		text = arena_printf(r->arena, "%s%s%s%s%s %.0f %%", text,
			i > 0 ? ", " : "", mem_short(r, p->function),
			p->file == NULL ? "" : " ",
			p->file == NULL ? "" : mem_where(r, m[i].with, false),
			mem_percent(m[i].cost, all));
	}
	return text;
}

enum variable_column {
	V_SHARE,
	V_SAMPLES,
	V_COST,
	V_WEIGHT,
	V_BYTES,
	V_BLOCKS,
	V_KIND,
	V_NAME,
	V_WHERE,
	V_CODE,
	V_LEVELS,
	V_THREADS,
	V_FREED,
	V_COLUMNS
};

static const struct table_column variable_columns[V_COLUMNS] = {
	[V_SHARE] = { .name = "share_percent",
		.title = "share",
		.other = "share",
		.kind = TABLE_SHARE },
	[V_SAMPLES] = { .name = "samples",
		.title = "samples",
		.kind = TABLE_NUMBER },
	[V_COST] = { .kind = TABLE_NUMBER },
	[V_WEIGHT] = { .name = "cycles",
		.other = "weight",
		.title = "cycles",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[V_BYTES] = { .name = "bytes",
		.other = "size",
		.title = "bytes",
		.kind = TABLE_NUMBER },
	[V_BLOCKS] = { .name = "blocks",
		.title = "blocks",
		.kind = TABLE_NUMBER },
	[V_KIND] = { .name = "kind", .title = "kind" },
	[V_NAME] = { .name = "variable", .title = "variable" },
	[V_WHERE] = { .name = "where", .title = "allocated, declared" },
	[V_CODE] = { .name = "accessed_by", .title = "accessed by" },
	[V_LEVELS] = { .name = "levels",
		.title = "found in",
		.is_hidden = true },
	[V_THREADS] = { .name = "threads",
		.title = "threads",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[V_FREED] = { .name = "after_free",
		.title = "after free",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
};

/* Adds columns with counts by data source, if the recording has them. */
static int
add_metric_columns(const struct mem_report *r, struct table_column *to)
{
	int n = 0;

	for (int i = 0; i < PERF_METRICS && r->profile->has_metrics; i++)
		to[n++] = (struct table_column){ .name = perf_metrics[i].name,
			.other = perf_metrics[i].other,
			.title = perf_metrics[i].name,
			.kind = TABLE_NUMBER,
			.is_hidden = true };
	return n;
}

static void
number_or_nothing(struct table *t, uint64_t value)
{
	if (value == 0)
		table_empty(t);
	else
		table_u64(t, value);
}

/* Returns where the samples of a variable found the data: "L1 80 %, local RAM
 * 15 %". */
static const char *
levels(const struct mem_report *r, const struct variable_row *v)
{
	struct mem_ranking k = { 0 };
	const char *text = "";
	uint64_t all = 0;

	if (v->level == NULL)
		return text;
	for (uint32_t i = 0; i < PERF_LEVELS; i++) {
		struct mem_ranked one = { v->level[i], i, 0 };

		VEC_PUSH(&k.list, r->arena, one);
		all += v->level[i];
	}
	mem_rank(&k);
	for (int i = 0; i < MEM_WORST; i++) {
		double percent = mem_percent(k.list.at[i].cost, all);

		if (i > 0 && percent < LEAST_PERCENT)
			break;
		text = arena_printf(r->arena, "%s%s%s %.0f %%", text,
			i > 0 ? ", " : "",
			perf_level_name((enum perf_level)k.list.at[i].index),
			percent);
	}
	return text;
}

static void
variable_cells(const struct mem_report *r, struct table *t, uint32_t index,
	const struct mem_groups *code, const struct mem_groups *threads)
{
	const struct variable_row *v = &r->profile->variable.at[index];
	const struct cost *c = &v->cost[r->event];
	int n;

	mem_members(threads, index, &n);
	if (v->threads > 0)
		n = v->threads > INT_MAX ? INT_MAX : (int)v->threads;
	table_real(t, mem_percent(c->periods, mem_whole(r)));
	table_u64(t, c->samples);
	table_cell(t, "%.*f", mem_is_time(r) ? 1 : 0, mem_cost(r, c->periods));
	table_u64(t, c->weights);
	number_or_nothing(t, v->bytes);
	number_or_nothing(t, v->blocks);
	table_word(t, mem_kind(r, index));
	table_word(t, mem_variable_name(r, index));
	table_word(t, mem_origin(r, index));
	table_word(t, statements(r, code, index, c->periods));
	table_word(t, levels(r, v));
	table_i64(t, n);
	table_u64(t, v->freed);
	for (int i = 0; i < PERF_METRICS && r->profile->has_metrics; i++)
		table_u64(t, v->metric == NULL ? 0 : v->metric[i]);
}

static void
rank_variables(const struct mem_report *r, struct mem_ranking *k)
{
	for (int i = 0; i < r->profile->variable.n; i++) {
		const struct variable_row *v = &r->profile->variable.at[i];
		struct mem_ranked one = { v->cost[r->event].periods,
			(uint32_t)i, 0 };

		if (one.cost > 0 && v->kind != VARIABLE_NONE)
			VEC_PUSH(&k->list, r->arena, one);
	}
	mem_rank(k);
}

bool
mem_variables(const struct mem_report *r, struct err *err)
{
	struct table_column columns[V_COLUMNS + PERF_METRICS];
	struct mem_groups code = { 0 }, threads = { 0 };
	struct mem_ranking k = { 0 };
	struct table t;
	int n;

	memcpy(columns, variable_columns, sizeof variable_columns);
	columns[V_COST].name = columns[V_COST].title = mem_cost_name(r);
	columns[V_WEIGHT].is_hidden =
		r->profile->event[r->event].cost.weights == 0;
	columns[V_LEVELS].is_hidden = !r->profile->has_metrics;
	n = V_COLUMNS + add_metric_columns(r, columns + V_COLUMNS);
	t = mem_table(r, columns, n);
	if (!table_choose(&t, r->options->columns, err))
		return false;
	rank_variables(r, &k);
	mem_group(&code, r, &r->profile->wanters, true);
	mem_group(&threads, r, &r->profile->touchers, true);
	for (int i = 0; i < mem_shown(r, k.list.n); i++)
		variable_cells(r, &t, k.list.at[i].index, &code, &threads);
	mem_print(r, &t);
	map_fini(&code.first);
	map_fini(&threads.first);
	return true;
}

static const struct table_column access_columns[] = {
	{ .name = "share_percent",
		.other = "share",
		.title = "share",
		.kind = TABLE_SHARE },
	{ .name = "of_variable_percent",
		.title = "of it",
		.kind = TABLE_SHARE },
	{ .name = "kind", .title = "kind" },
	{ .name = "variable", .title = "variable" },
	{ .name = "origin", .title = "allocated, declared" },
	{ .name = "function", .title = "accessed by" },
	{ .name = "where", .title = "where" },
};

/* Returns the last access to print: the accesses of all variables are ranked
 * together by cost. NULL: there is none. */
static const struct mem_ranked *
last_access(const struct mem_report *r, const struct mem_groups *code)
{
	struct mem_ranking k = { 0 };

	for (int i = 0; i < code->all.list.n; i++) {
		struct mem_ranked one = code->all.list.at[i];

		if (r->profile->variable.at[one.index].kind != VARIABLE_NONE)
			VEC_PUSH(&k.list, r->arena, one);
	}
	mem_rank(&k);
	return k.list.n == 0 ? NULL : &k.list.at[mem_shown(r, k.list.n) - 1];
}

static void
access_rows(const struct mem_report *r, struct table *t,
	const struct mem_ranked *row, const struct mem_groups *code,
	const struct mem_ranked *last)
{
	int n;
	const struct mem_ranked *m = mem_members(code, row->index, &n);

	for (int i = 0; i < n && mem_precedes(&m[i], last); i++) {
		table_real(t, mem_percent(m[i].cost, mem_whole(r)));
		table_real(t, mem_percent(m[i].cost, row->cost));
		table_word(t, mem_kind(r, row->index));
		table_word(t, mem_variable_name(r, row->index));
		table_word(t, mem_origin(r, row->index));
		table_word(t,
			mem_short(r,
				profile_location(r->profile, m[i].with)
					->function));
		table_word(t,
			mem_where(r, m[i].with,
				r->options->format != TABLE_TEXT));
	}
}

bool
mem_accesses(const struct mem_report *r, struct err *err)
{
	int n = (int)(sizeof access_columns / sizeof access_columns[0]);
	struct table t = mem_table(r, access_columns, n);
	struct mem_groups code = { 0 };
	struct mem_ranking k = { 0 };
	const struct mem_ranked *last;

	if (!table_choose(&t, r->options->columns, err))
		return false;
	rank_variables(r, &k);
	mem_group(&code, r, &r->profile->wanters, true);
	last = last_access(r, &code);
	for (int i = 0; i < k.list.n; i++)
		access_rows(r, &t, &k.list.at[i], &code, last);
	mem_print(r, &t);
	map_fini(&code.first);
	return true;
}
