/* SPDX-License-Identifier: MIT */
/* Views of blocks by allocation site: leaks, growth, peak; the heap over time;
 * which thread touched pages first. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "cli/mem/mem.h"
#include "cli/mem/rank.h"

#define HEAP_ROWS 20

enum {
	B_LIVE,
	B_LIVE_BLOCKS,
	B_HALF,
	B_GROWTH,
	B_PEAK,
	B_BYTES,
	B_BLOCKS,
	B_LEAST,
	B_MOST,
	B_KIND,
	B_NAME,
	B_WHERE,
	B_COLUMNS
};

static const struct table_column block_columns[B_COLUMNS] = {
	[B_LIVE] = { .name = "live_bytes",
		.title = "live at end",
		.kind = TABLE_NUMBER },
	[B_LIVE_BLOCKS] = { .name = "live_blocks",
		.title = "blocks",
		.kind = TABLE_NUMBER },
	[B_HALF] = { .name = "half_bytes",
		.title = "live half-way",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[B_GROWTH] = { .name = "growth_bytes",
		.title = "growth",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[B_PEAK] = { .name = "peak_bytes",
		.title = "live at peak",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[B_BYTES] = { .name = "bytes",
		.other = "size",
		.title = "allocated",
		.kind = TABLE_NUMBER },
	[B_BLOCKS] = { .name = "blocks",
		.title = "blocks",
		.kind = TABLE_NUMBER },
	[B_LEAST] = { .name = "least_bytes",
		.title = "smallest",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[B_MOST] = { .name = "most_bytes",
		.title = "largest",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[B_KIND] = { .name = "kind", .title = "kind" },
	[B_NAME] = { .name = "variable", .title = "variable" },
	[B_WHERE] = { .name = "where", .title = "allocated" },
};

static uint64_t
growth(const struct variable_row *v)
{
	return v->live_bytes > v->half_bytes ? v->live_bytes - v->half_bytes
					     : 0;
}

/* Returns the bytes by which the view sorts. */
static uint64_t
block_cost(const struct mem_report *r, const struct variable_row *v)
{
	switch (r->options->view) {
	case MEM_VIEW_GROWTH:
		return growth(v);
	case MEM_VIEW_PEAK:
		return v->peak_bytes;
	default:
		return v->live_bytes;
	}
}

static void
block_cells(const struct mem_report *r, struct table *t, uint32_t index)
{
	const struct variable_row *v = &r->profile->variable.at[index];

	table_u64(t, v->live_bytes);
	table_u64(t, v->live_blocks);
	table_u64(t, v->half_bytes);
	table_u64(t, growth(v));
	table_u64(t, v->peak_bytes);
	table_u64(t, v->bytes);
	table_u64(t, v->blocks);
	table_u64(t, v->least);
	table_u64(t, v->most);
	table_cell(t, "%s%s", variable_kind_name(v->kind),
		v->is_estimate ? ", estimated" : "");
	table_word(t, mem_variable_name(r, index));
	table_word(t, mem_origin(r, index));
}

bool
mem_blocks(const struct mem_report *r, struct err *err)
{
	struct table_column columns[B_COLUMNS];
	struct mem_ranking k = { 0 };
	struct table t;

	memcpy(columns, block_columns, sizeof block_columns);
	columns[B_HALF].is_hidden = columns[B_GROWTH].is_hidden =
		r->options->view != MEM_VIEW_GROWTH;
	columns[B_PEAK].is_hidden = r->options->view != MEM_VIEW_PEAK;
	t = mem_table(r, columns, B_COLUMNS);
	if (!table_choose(&t, r->options->columns, err))
		return false;
	for (int i = 0; i < r->profile->variable.n; i++) {
		const struct variable_row *v = &r->profile->variable.at[i];

		if (v->blocks > 0 && block_cost(r, v) > 0)
			VEC_PUSH(&k.list, r->arena,
				((struct mem_ranked){
					block_cost(r, v), (uint32_t)i, 0 }));
	}
	mem_rank(&k);
	for (int i = 0; i < mem_shown(r, k.list.n); i++)
		block_cells(r, &t, k.list.at[i].index);
	mem_print(r, &t);
	return true;
}

enum { HEAP_RANK, HEAP_HOST, HEAP_COLUMNS = 8 };

/* A database has many processes, which may have the same PID. */
static const struct table_column heap_columns[HEAP_COLUMNS] = {
	[HEAP_RANK] = { .name = "rank",
		.title = "rank",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[HEAP_HOST] = { .name = "host", .title = "host", .is_hidden = true },
	{ .name = "pid", .title = "process", .kind = TABLE_NUMBER },
	{ .name = "time_ms", .title = "ms", .kind = TABLE_NUMBER },
	{ .name = "live_bytes", .title = "live", .kind = TABLE_NUMBER },
	{ .name = "live_blocks", .title = "blocks", .kind = TABLE_NUMBER },
	{ .name = "mapped_bytes", .title = "mapped", .kind = TABLE_NUMBER },
	{ .name = "peak_bytes", .title = "peak so far", .kind = TABLE_NUMBER },
};

static void
heap_rows(struct table *t, const struct image *i, bool is_text)
{
	int step = is_text ? (i->heap.n + HEAP_ROWS - 1) / HEAP_ROWS : 1;

	/* chosen so that the last sample is printed */
	for (int n = i->heap.n > 0 ? (i->heap.n - 1) % step : 0; n < i->heap.n;
		n += step) {
		const struct mem_heap *h = i->heap.at[n];

		if (i->rank < 0)
			table_empty(t);
		else
			table_i64(t, i->rank);
		table_word(t, i->node);
		table_i64(t, i->head.pid);
		table_cell(t, "%.3f",
			(double)(int64_t)(h->time - i->head.time) / 1e6);
		table_u64(t, h->live_bytes);
		table_u64(t, h->live_blocks);
		table_u64(t, h->mapped_bytes);
		table_u64(t, h->peak_bytes);
	}
}

bool
mem_heap(const struct mem_report *r, struct err *err)
{
	struct table_column columns[HEAP_COLUMNS];
	struct table t;

	memcpy(columns, heap_columns, sizeof columns);
	columns[HEAP_RANK].is_hidden = columns[HEAP_HOST].is_hidden =
		!r->profile->is_merged;
	t = mem_table(r, columns, HEAP_COLUMNS);
	if (!table_choose(&t, r->options->columns, err))
		return false;
	for (int i = 0; i < r->profile->image.n; i++)
		heap_rows(&t, &r->profile->image.at[i],
			r->options->format == TABLE_TEXT);
	mem_print(r, &t);
	return true;
}

enum { TOUCH_THREADS = 5, TOUCH_COLUMNS = 10 };

static const struct table_column touch_columns[TOUCH_COLUMNS] = {
	{ .name = "share_percent",
		.other = "share",
		.title = "share",
		.kind = TABLE_SHARE },
	{ .name = "faults",
		.other = "FAULTS",
		.title = "pages",
		.kind = TABLE_NUMBER },
	{ .name = "kind", .title = "kind" },
	{ .name = "variable", .title = "variable" },
	{ .name = "origin", .title = "allocated, declared" },
	{ .name = "threads", .title = "threads", .kind = TABLE_NUMBER },
	{ .name = "first_thread", .title = "most by" },
	{ .name = "thread_percent", .title = "of it", .kind = TABLE_SHARE },
	{ .name = "code", .title = "first touched in" },
	{ .name = "where", .title = "where" },
};

static void
touch_cells(const struct mem_report *r, struct table *t,
	const struct mem_ranked *row, const struct mem_groups *threads,
	const struct mem_groups *code)
{
	const struct profile_thread *th;
	const struct mem_ranked *m, *c;
	int n, ignored;

	m = mem_members(threads, row->index, &n);
	c = mem_members(code, row->index, &ignored);
	if (m == NULL || c == NULL)
		return; /* sums in a damaged file may wrap around to 0 */
	th = &r->profile->thread.at[m->with];
	table_real(t, mem_percent(row->cost, mem_whole(r)));
	table_u64(t, row->cost);
	table_word(t, mem_kind(r, row->index));
	table_word(t, mem_variable_name(r, row->index));
	table_word(t, mem_origin(r, row->index));
	table_i64(t, n);
	table_cell(
		t, "%" PRId32 "%s%s", th->tid, *th->name ? " " : "", th->name);
	table_cell(t, "%.0f", mem_percent(m->cost, row->cost));
	table_word(t,
		mem_short(r, profile_location(r->profile, c->with)->function));
	table_word(t, mem_where(r, c->with, r->options->format != TABLE_TEXT));
}

bool
mem_first_touch(const struct mem_report *r, struct err *err)
{
	struct table_column columns[TOUCH_COLUMNS];
	struct mem_groups threads = { 0 }, code = { 0 };
	struct mem_ranking k = { 0 };
	struct table t;

	memcpy(columns, touch_columns, sizeof columns);
	if (r->profile->is_merged) /* a database has no threads */
		columns[TOUCH_THREADS].title = "processes";
	t = mem_table(r, columns, TOUCH_COLUMNS);
	if (!table_choose(&t, r->options->columns, err))
		return false;
	mem_group(&threads, r, &r->profile->touchers, true);
	mem_group(&code, r, &r->profile->wanters, true);
	for (int i = 0; i < r->profile->variable.n; i++) {
		uint64_t pages =
			r->profile->variable.at[i].cost[r->event].periods;

		if (pages > 0)
			VEC_PUSH(&k.list, r->arena,
				((struct mem_ranked){ pages, (uint32_t)i, 0 }));
	}
	mem_rank(&k);
	for (int i = 0; i < mem_shown(r, k.list.n); i++)
		touch_cells(r, &t, &k.list.at[i], &threads, &code);
	mem_print(r, &t);
	map_fini(&threads.first);
	map_fini(&code.first);
	return true;
}
