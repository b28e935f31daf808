/* SPDX-License-Identifier: MIT */
/* The view by MPI rank or by host: how long each ran, which share of that at
 * memory instructions, in which variables, and how large its heap was. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "cli/mem/mem.h"
#include "cli/mem/rank.h"
#include "mem/db/charge.h"
#include "mem/db/database.h"

struct rank {
	int64_t rank;     /* -1: processes without a rank */
	const char *host; /* NULL: unknown, or the view is by rank */
	int processes, threads;
	uint64_t samples, periods; /* samples and periods of the event */
	uint64_t memory;           /* the part of them at memory instructions */
	uint64_t live_bytes, peak_bytes;
	struct mem_ranking variables;
};

struct ranks {
	VEC(struct rank) list;
	struct intern host;
	struct map by_rank;     /* rank + 1, or number of the host + 1, to
	                         * index + 1 */
	struct map by_variable; /* index of the rank and variable to index +
	                         * 1 */
};

static int
find(const struct mem_report *r, struct ranks *all, int64_t rank,
	const char *host)
{
	bool by_host = r->options->by == MEM_BY_HOST;
	uint64_t key = !by_host ? (uint64_t)rank + 1
		: host == NULL  ? 0
				: intern_add(&all->host, host) + 1u;
	uint64_t *slot = map_put(&all->by_rank, key);

	if (*slot == 0) {
		VEC_PUSH(&all->list, r->arena,
			((struct rank){ .rank = by_host ? -1 : rank,
				.host = by_host ? host : NULL }));
		*slot = (uint64_t)all->list.n;
	}
	return (int)*slot - 1;
}

/* Adds an image to its rank. Processes of one rank may run one after the other,
 * so their peaks are not added up. */
static void
add_image(const struct mem_report *r, struct ranks *all, int which)
{
	const struct profile *p = r->profile;
	const struct image *i = &p->image.at[which];
	int rank = find(r, all, i->rank, i->node);
	struct rank *to = &all->list.at[rank];
	const struct mem_heap *last;

	to->processes += !image_is_replaced(p->image.at, p->image.n, which);
	to->threads += i->thread.n;
	to->samples += i->cost[r->event].samples;
	to->periods += i->cost[r->event].periods;
	if (i->heap.n == 0)
		return;
	last = i->heap.at[i->heap.n - 1];
	to->live_bytes += last->live_bytes;
	if (last->peak_bytes > to->peak_bytes)
		to->peak_bytes = last->peak_bytes;
}

/* Adds the cost that a thread of the rank caused at a variable. */
static void
add_pair(const struct mem_report *r, struct ranks *all, const struct pair *p)
{
	uint64_t cost = p->cost[r->event].periods, *slot;
	const struct profile_thread *by = &r->profile->thread.at[p->with];
	int rank = find(r, all, by->rank, by->node);
	struct rank *to = &all->list.at[rank];
	struct mem_ranking *k = &to->variables;

	if (cost == 0 ||
		r->profile->variable.at[p->variable].kind == VARIABLE_NONE)
		return;
	to->memory += cost;
	slot = map_put(&all->by_variable, (uint64_t)rank << 32 | p->variable);
	if (*slot == 0) {
		VEC_PUSH(&k->list, r->arena,
			((struct mem_ranked){ 0, p->variable, 0 }));
		*slot = (uint64_t)k->list.n;
	}
	k->list.at[*slot - 1].cost += cost;
}

static int
by_number(const void *pa, const void *pb)
{
	const struct rank *a = pa, *b = pb;

	if (a->host != NULL && b->host != NULL)
		return strcmp(a->host, b->host);
	if (a->host != NULL || b->host != NULL)
		return a->host != NULL ? 1 : -1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Returns the most expensive variables: "b (matrix.c:21 from matrix.c:60) 90 %,
 * ...". */
static const char *
worst(const struct mem_report *r, struct rank *of)
{
	const char *text = "";

	mem_rank(&of->variables);
	for (int i = 0; i < of->variables.list.n && i < MEM_WORST; i++) {
		const struct mem_ranked *m = &of->variables.list.at[i];

		text = arena_printf(r->arena, "%s%s%s %.0f %%", text,
			i > 0 ? ", " : "", mem_variable_site(r, m->index),
			mem_percent(m->cost, of->memory));
	}
	return text;
}

enum rank_column {
	R_RANK,
	R_HOST,
	R_PROCESSES,
	R_THREADS,
	R_SHARE,
	R_SAMPLES,
	R_COST,
	R_MEMORY,
	R_PEAK,
	R_LIVE,
	R_VARIABLES,
	R_COLUMNS
};

static const struct table_column rank_columns[R_COLUMNS] = {
	[R_RANK] = { .name = "rank", .title = "rank", .kind = TABLE_NUMBER },
	[R_HOST] = { .name = "host", .title = "host", .is_hidden = true },
	[R_PROCESSES] = { .name = "processes",
		.title = "processes",
		.kind = TABLE_NUMBER },
	[R_THREADS] = { .name = "threads",
		.title = "threads",
		.kind = TABLE_NUMBER },
	[R_SHARE] = { .name = "share_percent",
		.other = "share",
		.title = "share",
		.kind = TABLE_SHARE },
	[R_SAMPLES] = { .name = "samples",
		.title = "samples",
		.kind = TABLE_NUMBER },
	[R_COST] = { .kind = TABLE_NUMBER },
	[R_MEMORY] = { .name = "at_memory_percent",
		.title = "at memory",
		.kind = TABLE_SHARE },
	[R_PEAK] = { .name = "peak_bytes",
		.title = "largest heap",
		.kind = TABLE_NUMBER },
	[R_LIVE] = { .name = "live_bytes",
		.title = "live at end",
		.kind = TABLE_NUMBER },
	[R_VARIABLES] = { .name = "variables", .title = "at memory, most in" },
};

static void
rank_cells(const struct mem_report *r, struct table *t, struct rank *k)
{
	uint64_t whole = r->profile->event[r->event].cost.periods;

	if (k->rank < 0)
		table_empty(t);
	else
		table_i64(t, k->rank);
	table_word(t, k->host);
	table_i64(t, k->processes);
	table_i64(t, k->threads);
	table_real(t, mem_percent(k->periods, whole));
	table_u64(t, k->samples);
	table_cell(t, "%.*f", mem_is_time(r) ? 1 : 0, mem_cost(r, k->periods));
	table_real(t, mem_percent(k->memory, k->periods));
	table_u64(t, k->peak_bytes);
	table_u64(t, k->live_bytes);
	table_word(t, worst(r, k));
}

static bool
has_rank(const struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].rank >= 0)
			return true;
	return false;
}

static bool
has_host(const struct profile *p)
{
	for (int i = 0; i < p->image.n; i++)
		if (p->image.at[i].node != NULL)
			return true;
	return false;
}

/* Returns false and sets err if nothing tells the processes apart. */
static bool
has_groups(const struct mem_report *r, struct err *err)
{
	const struct profile *p = r->profile;

	if (p->is_recording)
		return err_set(err, ERR_INPUT,
			"a file of perf record has no ranks: record with weft "
			"run -e datacentric");
	if (r->options->by == MEM_BY_HOST)
		return has_host(p) ||
			err_set(err, ERR_INPUT,
				"the measurement does not name its hosts: it "
				"is of an older version of weft");
	return has_rank(p) ||
		err_set(err, ERR_INPUT,
			"no process has a rank: none of OMPI_COMM_WORLD_RANK, "
			"PMIX_RANK, PMI_RANK and SLURM_PROCID was set in the "
			"program; start it with mpirun or srun: weft run -e "
			"datacentric mpirun -n 4 PROG");
}

static uint64_t
stand_in_key(struct profile *p, int process, enum mem_by by)
{
	const struct image *i = &p->image.at[process];

	switch (by) {
	case MEM_BY_RANK:
		return (uint64_t)i->rank + 1;
	case MEM_BY_HOST:
		return i->node == NULL
			? 0
			: intern_add(&p->symbols.text, i->node) + 1u;
	case MEM_BY_VARIABLE:
	default:
		return (uint64_t)process + 1;
	}
}

/* Returns the index of the thread that stands for all threads of a rank, of a
 * host, or else of the process. */
static uint32_t
stand_in(struct profile *p, int process, enum mem_by by)
{
	const struct image *i = &p->image.at[process];
	uint64_t *slot = map_put(&p->threads, stand_in_key(p, process, by));
	const char *name = "";

	if (*slot == 0) {
		if (by == MEM_BY_VARIABLE)
			name = i->rank < 0
				? file_name(
					  i->program == NULL ? "" : i->program)
				: arena_printf(
					  p->arena, "rank %" PRId64, i->rank);
		VEC_PUSH(&p->thread, p->arena,
			((struct profile_thread){ .rank = i->rank,
				.tid = i->head.pid,
				.node = i->node,
				.name = name }));
		*slot = (uint64_t)p->thread.n;
	}
	return (uint32_t)(*slot - 1);
}

void
mem_add_costs(void *arg, int process, const struct database_row *row, int n)
{
	const struct mem_report *r = arg;
	struct profile *p = r->profile;
	uint32_t with = stand_in(p, process, (enum mem_by)r->options->by);

	for (int i = 0; i < n; i++) {
		struct cost cost = row[i].cost;

		charge_pair(p, &p->touchers,
			&(struct pair){ row[i].variable, with, &cost },
			row[i].event);
	}
}

bool
mem_by_rank(const struct mem_report *r, struct err *err)
{
	struct table_column columns[R_COLUMNS];
	struct table t;
	const struct profile *p = r->profile;
	struct ranks all = { 0 };

	for (int i = 0; i < R_COLUMNS; i++)
		columns[i] = rank_columns[i];
	columns[R_COST].name = columns[R_COST].title = mem_cost_name(r);
	columns[R_MEMORY].is_hidden = columns[R_VARIABLES].is_hidden =
		!event_has_data(p->event[r->event].kind);
	columns[R_HOST].is_hidden = r->options->by == MEM_BY_RANK;
	columns[R_RANK].is_hidden = r->options->by == MEM_BY_HOST;
	t = mem_table(r, columns, R_COLUMNS);
	if (!table_choose(&t, r->options->columns, err))
		return false;
	if (!has_groups(r, err))
		return false;
	intern_init(&all.host, r->arena);
	for (int i = 0; i < p->image.n; i++)
		add_image(r, &all, i);
	for (int i = 0; i < p->touchers.list.n; i++)
		add_pair(r, &all, &p->touchers.list.at[i]);
	qsort(all.list.at, (size_t)all.list.n, sizeof *all.list.at, by_number);
	for (int i = 0; i < mem_shown(r, all.list.n); i++)
		rank_cells(r, &t, &all.list.at[i]);
	mem_print(r, &t);
	map_fini(&all.by_rank);
	map_fini(&all.by_variable);
	return true;
}
