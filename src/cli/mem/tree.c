/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "cli/mem/mem.h"
#include "cli/mem/rank.h"
#include "cli/screen.h"

#define LEAST_PERCENT 0.5 /* text shows no node with less */

enum {
	T_ALL,
	T_SELF,
	T_ALL_COST,
	T_SELF_COST,
	T_SAMPLES,
	T_SIZE,
	T_BLOCKS,
	T_DEPTH,
	T_KIND,
	T_NAME,
	T_WHERE,
	T_COLUMNS
};

static const struct table_column columns[T_COLUMNS] = {
	[T_ALL] = { .name = "total_percent",
		.other = "inclusive",
		.title = "total",
		.kind = TABLE_SHARE },
	[T_SELF] = { .name = "self_percent",
		.other = "exclusive",
		.title = "self",
		.kind = TABLE_SHARE },
	[T_ALL_COST] = { .name = "total",
		.title = "total",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[T_SELF_COST] = { .name = "self",
		.title = "self",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[T_SAMPLES] = { .name = "samples",
		.title = "samples",
		.kind = TABLE_NUMBER },
	[T_SIZE] = { .name = "size",
		.other = "Size (byte)",
		.title = "size",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[T_BLOCKS] = { .name = "blocks",
		.title = "blocks",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	[T_DEPTH] = { .name = "depth",
		.title = "depth",
		.kind = TABLE_NUMBER,
		.in = TABLE_IN_DATA },
	[T_KIND] = { .name = "node",
		.title = "node",
		.kind = TABLE_NUMBER,
		.in = TABLE_IN_DATA },
	[T_NAME] = { .name = "name", .title = "tree" },
	[T_WHERE] = { .name = "where", .title = "where" },
};

struct walk {
	const struct mem_report *report;
	struct table table;
	uint64_t left_out;
};

static void
size_cells(struct walk *w, const struct node *n)
{
	if (n->bytes == 0) {
		table_empty(&w->table);
		table_empty(&w->table);
		return;
	}
	table_u64(&w->table, n->bytes);
	table_u64(&w->table, n->blocks == 0 ? 1 : n->blocks);
}

static void
node_cells(struct walk *w, const struct node *n, int depth)
{
	const struct mem_report *r = w->report;
	const struct code_location *p =
		profile_location(r->profile, n->location);
	const struct cost *own = &n->own[r->event], *all = &n->all[r->event];
	uint64_t whole = r->profile->event[r->event].cost.periods;
	bool is_text = r->options->format == TABLE_TEXT;

	table_real(&w->table, mem_percent(all->periods, whole));
	table_real(&w->table, mem_percent(own->periods, whole));
	table_real(&w->table, mem_cost(r, all->periods));
	table_real(&w->table, mem_cost(r, own->periods));
	table_u64(&w->table, all->samples);
	size_cells(w, n);
	table_i64(&w->table, depth);
	table_i64(&w->table, n->kind);
	table_cell(&w->table, "%*s%s%s", is_text ? 2 * depth : 0, "",
		mem_short(r, p->function), p->is_inlined ? " (inlined)" : "");
	table_word(&w->table,
		p->file == NULL && !p->is_named
			? ""
			: mem_where(r, n->location, !is_text));
}

static void walk(struct walk *w, uint32_t node, int depth);

static void
walk_children(struct walk *w, uint32_t node, int depth)
{
	const struct profile *p = w->report->profile;
	struct mem_ranking k = { 0 };

	for (uint32_t n = p->node.at[node].child; n != 0;
		n = p->node.at[n].next)
		VEC_PUSH(&k.list, w->report->arena,
			((struct mem_ranked){
				p->node.at[n].all[w->report->event].periods, n,
				0 }));
	mem_rank(&k);
	for (int i = 0; i < k.list.n; i++)
		walk(w, k.list.at[i].index, depth);
}

static void
walk(struct walk *w, uint32_t node, int depth)
{
	const struct mem_report *r = w->report;
	const struct node *n = &r->profile->node.at[node];
	uint64_t cost = n->all[r->event].periods;
	uint64_t whole = r->profile->event[r->event].cost.periods;

	if (cost == 0)
		return;
	if (r->options->format == TABLE_TEXT &&
		mem_percent(cost, whole) < LEAST_PERCENT) {
		w->left_out++;
		return;
	}
	node_cells(w, n, depth);
	walk_children(w, node, depth + 1);
}

bool
mem_tree(const struct mem_report *r, struct err *err)
{
	struct walk w = { .report = r,
		.table = mem_table(r, columns, T_COLUMNS) };

	if (!table_choose(&w.table, r->options->columns, err))
		return false;
	walk(&w, r->profile->data, 0);
	walk(&w, r->profile->program, 0);
	mem_print(r, &w.table);
	if (w.left_out > 0) {
		printf("\n");
		screen_say(arena_printf(r->arena,
				   "%" PRIu64 " branches of less than %.1f %% "
				   "are left out; --format csv has them",
				   w.left_out, LEAST_PERCENT),
			2);
	}
	return true;
}
