/* SPDX-License-Identifier: MIT */
/* The questions info, slowest and groups. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/near.h"
#include "cli/cmd.h"
#include "cli/tasks/query.h"
#include "task/schema.h"

static uint64_t
count_rows(struct task_query *q, const struct store_table *t)
{
	struct store_value row[STORE_COLUMNS_MAX];
	uint64_t n = 0;

	store_read_start(q->store.reader, t, NULL);
	while (store_read_next(q->store.reader, row))
		n++;
	return n;
}

static void
put_fact(struct task_query *q, const char *name, uint64_t value)
{
	table_word(&q->table, name);
	table_u64(&q->table, value);
}

static void
put_meta(struct task_query *q)
{
	struct store_reader *r = q->store.reader;
	struct arena *a = &q->store.arena;
	struct store_value row[META_COLUMNS];

	if (q->store.meta == NULL)
		return;
	store_read_start(r, q->store.meta, NULL);
	while (store_read_next(r, row)) {
		const struct store_value *k = &row[META_KEY];
		const struct store_value *v = &row[META_VALUE];

		table_text(
			&q->table, arena_strndup(a, k->text, k->size), k->size);
		table_text(
			&q->table, arena_strndup(a, v->text, v->size), v->size);
	}
}

bool
query_info(struct task_query *q, struct err *err)
{
	static const struct table_column columns[] = {
		{ .name = "property" },
		{ .name = "value" },
	};
	const struct store_table *t;
	uint64_t open = 0;
	struct task task;

	(void)err;
	query_columns(q, columns, 2);
	if (q->store.runs > 1) {
		table_word(&q->table, "run");
		table_cell(&q->table, "%" PRIu64 " of %" PRIu64, q->store.run,
			q->store.runs);
	}
	put_meta(q);
	for (uint32_t i = 0; (t = store_read_table(q->store.reader, i)) != NULL;
		i++)
		if (strcmp(t->name, schema_meta.name) != 0)
			put_fact(q, t->name, count_rows(q, t));
	task_store_start(&q->store);
	while (task_store_next(&q->store, &task))
		open += task.open;
	put_fact(q, "open tasks", open);
	return true;
}

/* Orders by descending duration, then by start. */
static int
slower(const void *pa, const void *pb)
{
	const struct task *a = pa, *b = pb;
	int64_t da = a->end - a->start, db = b->end - b->start;

	if (da != db)
		return da > db ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

struct slowest {
	VEC(struct task) task;
};

/* Sorts and keeps the slowest tasks. */
static void
keep_slowest(struct slowest *s, int64_t most)
{
	if (s->task.n > 1)
		qsort(s->task.at, (size_t)s->task.n, sizeof *s->task.at,
			slower);
	if (s->task.n > most)
		s->task.n = (int)most;
}

/* Finds the slowest tasks: keeps up to twice as many as wanted, and drops the
 * faster half when full. */
static void
find_slowest(struct task_query *q, struct slowest *s, int64_t most)
{
	struct task task;

	task_store_start(&q->store);
	while (task_store_next(&q->store, &task)) {
		VEC_PUSH(&s->task, &q->store.arena, task);
		if (s->task.n / 2 >= most)
			keep_slowest(s, most);
	}
	keep_slowest(s, most);
}

bool
query_slowest(struct task_query *q, struct err *err)
{
	static const struct table_column columns[] = {
		{ .name = "duration", .kind = TABLE_TIME },
		{ .name = "start", .kind = TABLE_TIME },
		{ .name = "id", .kind = TABLE_NUMBER },
		{ .name = "kind" },
		{ .name = "what" },
		{ .name = "location" },
		{ .name = "open", .kind = TABLE_FLAG },
	};
	struct slowest found = { 0 };

	(void)err;
	find_slowest(q, &found, q->top);
	query_columns(q, columns, 7);
	for (int i = 0; i < found.task.n; i++) {
		const struct task *t = &found.task.at[i];

		table_time(&q->table, t->end - t->start);
		query_task(q, t);
		table_flag(&q->table, t->open);
	}
	return true;
}

struct group {
	uint32_t name[3];
	uint64_t n, open;
	int64_t total, least, most;
};

struct groups {
	bool by[3];
	VEC(struct group) at;
	struct map pair, triple; /* names to the index in `at` + 1 */
	struct arena *arena;
};

static bool
parse_by(struct groups *g, const char *list, struct err *err)
{
	char hint[NEAR_HINT];

	while (*list != '\0') {
		size_t n = strcspn(list, ",");
		const char *word = arena_strndup(g->arena, list, n);
		int i = cmd_choice(QUERY_GROUPS, word);

		if (i < 0)
			return err_set(err, ERR_INPUT,
				"--by takes " QUERY_GROUPS ", not \"%s\"%s",
				word, near_hint(QUERY_GROUPS, word, hint));
		g->by[i] = true;
		list += n + (list[n] == ',');
	}
	return true;
}

/* Returns the group of a task. A pair of names is numbered first; its number
 * and the third name make the group. */
static struct group *
group_of(struct groups *g, const struct task *t)
{
	uint32_t name[3] = { g->by[0] ? t->kind : 0, g->by[1] ? t->what : 0,
		g->by[2] ? t->location : 0 };
	uint64_t *pair = map_put(&g->pair, (uint64_t)name[0] << 32 | name[1]);
	uint64_t *triple;

	if (*pair == 0)
		*pair = map_count(&g->pair);
	triple = map_put(&g->triple, *pair << 32 | name[2]);
	if (*triple == 0) {
		struct group *new = VEC_ADD(&g->at, g->arena);

		memcpy(new->name, name, sizeof name);
		new->least = INT64_MAX;
		new->most = INT64_MIN;
		*triple = (uint64_t)g->at.n;
	}
	return &g->at.at[*triple - 1];
}

static void
add(struct group *g, const struct task *t)
{
	int64_t d = t->end - t->start;

	g->n++;
	g->open += t->open;
	g->least = d < g->least ? d : g->least;
	g->most = d > g->most ? d : g->most;
	if (__builtin_add_overflow(g->total, d, &g->total))
		g->total = INT64_MAX;
}

static int
larger(const void *pa, const void *pb)
{
	const struct group *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return memcmp(a->name, b->name, sizeof a->name);
}

static void
put_group(struct task_query *q, const struct group *g, int64_t total)
{
	table_u64(&q->table, g->n);
	table_u64(&q->table, g->open);
	table_time(&q->table, g->total);
	table_share(&q->table, (double)g->total, (double)total);
	table_time(&q->table, g->total / (int64_t)g->n);
	table_time(&q->table, g->least);
	table_time(&q->table, g->most);
	for (int i = 0; i < 3; i++)
		query_name(q, g->name[i]);
}

bool
query_groups(struct task_query *q, struct err *err)
{
	struct table_column columns[] = {
		{ .name = "tasks", .kind = TABLE_NUMBER },
		{ .name = "open", .kind = TABLE_NUMBER },
		{ .name = "total", .kind = TABLE_TIME },
		{ .name = "share_percent",
			.title = "share",
			.kind = TABLE_SHARE },
		{ .name = "mean", .kind = TABLE_TIME },
		{ .name = "least", .kind = TABLE_TIME },
		{ .name = "most", .kind = TABLE_TIME },
		{ .name = "kind" },
		{ .name = "what" },
		{ .name = "location" },
	};
	struct groups g = { .arena = &q->store.arena };
	int64_t total = 0;
	struct task t;

	q->misused = !parse_by(&g, q->by, err);
	if (q->misused)
		return false;
	task_store_start(&q->store);
	while (task_store_next(&q->store, &t))
		add(group_of(&g, &t), &t);
	map_fini(&g.pair);
	map_fini(&g.triple);
	if (g.at.n > 1)
		qsort(g.at.at, (size_t)g.at.n, sizeof *g.at.at, larger);
	for (int i = 0; i < g.at.n; i++)
		if (__builtin_add_overflow(total, g.at.at[i].total, &total))
			total = INT64_MAX;
	for (int i = 0; i < 3; i++)
		columns[7 + i].is_hidden = !g.by[i];
	query_columns(q, columns, 10);
	for (int i = 0; i < g.at.n && i < q->top; i++)
		put_group(q, &g.at.at[i], total);
	return true;
}
