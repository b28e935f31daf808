/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/mem/html.h"
#include "cli/mem/rank.h"
#include "cli/screen.h"
#include "mem/db/charge.h"

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
	double fold; /* per cent; nodes with less are not shown */
	bool joins;  /* a line for the nodes of a parent that are not shown */
	uint64_t left_out;
};

/* Nodes of one parent that are not shown. */
struct folded {
	struct cost own, all;
	int n;
};

static const char *
lower(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);

	for (char *at = copy; *at != '\0'; at++)
		*at = (char)tolower((unsigned char)*at);
	return copy;
}

/* Adds the columns of the other events: the cost of a node and of all below it,
 * in the event's unit. Returns their number. */
static int
add_events(const struct mem_report *r, struct table_column *to)
{
	int n = 0;

	for (int e = 0; e < r->profile->n_events; e++) {
		const char *name = lower(r->arena, r->profile->event[e].name);

		if (e == r->event || r->profile->event[e].cost.samples == 0)
			continue;
		to[n++] = (struct table_column){ .name = name,
			.kind = TABLE_NUMBER,
			.is_hidden = !r->options->html };
		to[n++] = (struct table_column){ .name = arena_printf(r->arena,
							 "%s_self", name),
			.kind = TABLE_NUMBER,
			.is_hidden = !r->options->html };
	}
	return n;
}

static void
event_cells(struct walk *w, const struct cost *own, const struct cost *all)
{
	const struct profile *p = w->report->profile;

	for (int e = 0; e < p->n_events; e++) {
		uint32_t kind = p->event[e].kind;
		bool is_time = kind == MEM_EVENT_DATA || kind == MEM_EVENT_TIME;

		if (e == w->report->event || p->event[e].cost.samples == 0)
			continue;
		if (own == NULL) {
			table_empty(&w->table);
			table_empty(&w->table);
		} else if (is_time) {
			table_real(&w->table, (double)all[e].periods / 1e6);
			table_real(&w->table, (double)own[e].periods / 1e6);
		} else {
			table_u64(&w->table, all[e].periods);
			table_u64(&w->table, own[e].periods);
		}
	}
}

/* Remembers the depth of a row: a page draws it. */
static void
keep_depth(struct walk *w, int depth)
{
	if (w->report->said->html != NULL)
		VEC_PUSH(
			&w->report->said->html->depth, w->report->arena, depth);
}

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
cost_cells(struct walk *w, const struct cost *own, const struct cost *all)
{
	const struct mem_report *r = w->report;
	uint64_t whole = r->profile->event[r->event].cost.periods;

	table_real(&w->table, mem_percent(all->periods, whole));
	table_real(&w->table, mem_percent(own->periods, whole));
	table_real(&w->table, mem_cost(r, all->periods));
	table_real(&w->table, mem_cost(r, own->periods));
	table_u64(&w->table, all->samples);
}

/* Writes a line for the nodes of a parent that are not shown. */
static void
folded_cells(struct walk *w, const struct folded *f, int depth)
{
	bool is_text = w->report->options->format == TABLE_TEXT &&
		!w->report->options->html;

	keep_depth(w, depth);
	cost_cells(w, &f->own, &f->all);
	table_empty(&w->table);
	table_empty(&w->table);
	table_i64(&w->table, depth);
	table_empty(&w->table);
	table_cell(&w->table, "%*s(%d branch%s of less than %g %%)",
		is_text ? 2 * depth : 0, "", f->n, f->n == 1 ? "" : "es",
		w->fold);
	table_empty(&w->table);
	event_cells(w, NULL, NULL);
}

static void
node_cells(struct walk *w, const struct node *n, int depth)
{
	const struct mem_report *r = w->report;
	const struct code_location *p =
		profile_location(r->profile, n->location);
	const struct cost *own = &n->own[r->event], *all = &n->all[r->event];
	bool is_text = r->options->format == TABLE_TEXT && !r->options->html;

	keep_depth(w, depth);
	cost_cells(w, own, all);
	size_cells(w, n);
	table_i64(&w->table, depth);
	table_i64(&w->table, n->kind);
	table_cell(&w->table, "%*s%s%s", is_text ? 2 * depth : 0, "",
		mem_short(r, p->function), p->is_inlined ? " (inlined)" : "");
	table_word(&w->table,
		p->file == NULL && !p->is_named
			? ""
			: mem_where(r, n->location,
				  r->options->format != TABLE_TEXT));
	event_cells(w, n->own, n->all);
}

static bool
is_folded(const struct walk *w, uint64_t cost)
{
	uint64_t whole =
		w->report->profile->event[w->report->event].cost.periods;

	return mem_percent(cost, whole) < w->fold;
}

/* Ranks the children of a node that have a cost. Those that are folded are
 * added up instead. */
static void
rank_children(
	struct walk *w, uint32_t node, struct mem_ranking *k, struct folded *f)
{
	const struct profile *p = w->report->profile;
	int event = w->report->event;

	for (uint32_t n = p->node.at[node].child; n != 0;
		n = p->node.at[n].next) {
		const struct node *child = &p->node.at[n];
		uint64_t cost = child->all[event].periods;

		if (cost > 0 && is_folded(w, cost)) {
			cost_add(&f->own, &child->own[event]);
			cost_add(&f->all, &child->all[event]);
			f->n++;
		} else if (cost > 0) {
			VEC_PUSH(&k->list, w->report->arena,
				((struct mem_ranked){ cost, n, 0 }));
		}
	}
	mem_rank(k);
}

static void walk(struct walk *w, uint32_t node, int depth);

/* Goes on with the first child if it has half of its parent's cost. Below the
 * root of the data, what belongs to no variable does not count. */
static void
walk_hot(struct walk *w, uint32_t node, const struct mem_ranking *k, int depth)
{
	const struct profile *p = w->report->profile;
	uint64_t all = p->node.at[node].all[w->report->event].periods;
	int first = 0;

	if (node == p->data && k->list.n > 1)
		for (int i = 0; i < k->list.n; i++)
			if (k->list.at[i].index == p->other) {
				all -= k->list.at[i].cost;
				first = i == 0;
			}
	if (first < k->list.n && k->list.at[first].cost >= all - all / 2)
		walk(w, k->list.at[first].index, depth + 1);
}

static void
walk(struct walk *w, uint32_t node, int depth)
{
	const struct node *n = &w->report->profile->node.at[node];
	uint64_t cost = n->all[w->report->event].periods;
	struct mem_ranking k = { 0 };
	struct folded f = { 0 };

	if (cost == 0)
		return;
	node_cells(w, n, depth);
	rank_children(w, node, &k, &f);
	if (w->report->options->hot) {
		walk_hot(w, node, &k, depth);
		return;
	}
	for (int i = 0; i < k.list.n; i++)
		walk(w, k.list.at[i].index, depth + 1);
	if (f.n > 0 && w->joins)
		folded_cells(w, &f, depth + 1);
	else
		w->left_out += (uint64_t)f.n;
}

/* Reads --fold. */
static bool
choose_fold(struct walk *w, struct err *err)
{
	const char *text = w->report->options->fold;
	char *end;

	w->fold = w->report->options->format == TABLE_TEXT ? LEAST_PERCENT : 0;
	w->joins = text != NULL;
	if (text == NULL)
		return true;
	w->fold = strtod(text, &end);
	return (end != text && *end == '\0' && w->fold >= 0 &&
		       w->fold <= 100) ||
		err_set(err, ERR_INPUT,
			"--fold %s: not a number of per cent, as in --fold 2.5",
			text);
}

bool
mem_tree(const struct mem_report *r, struct err *err)
{
	struct table_column all[T_COLUMNS + 2 * PROFILE_EVENTS];
	struct walk w = { .report = r };

	memcpy(all, columns, sizeof columns);
	w.table = mem_table(r, all, T_COLUMNS + add_events(r, all + T_COLUMNS));
	if (!choose_fold(&w, err) ||
		!table_choose(&w.table, r->options->columns, err))
		return false;
	walk(&w, r->profile->data, 0);
	walk(&w, r->profile->program, 0);
	mem_print(r, &w.table);
	if (w.left_out > 0 && !r->options->html) {
		printf("\n");
		screen_say(
			arena_printf(r->arena,
				"%" PRIu64 " branches of less than %.1f %% "
				"are left out; --format csv has them, --fold "
				"joins them",
				w.left_out, LEAST_PERCENT),
			2);
	}
	return true;
}
