/* SPDX-License-Identifier: MIT */
/*
 * The question where: what tasks spent their time on. A milestone ends what its
 * task waited for since the previous milestone or since its start. The time
 * after the last milestone is shown separately.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "cli/tasks/query.h"

static const struct table_column one_columns[] = {
	{ .name = "since", .kind = TABLE_TIME },
	{ .name = "duration", .kind = TABLE_TIME },
	{ .name = "share_percent", .title = "share", .kind = TABLE_SHARE },
	{ .name = "kind" },
	{ .name = "what" },
};

static void
put_part(struct task_query *q, const struct task *t, int64_t since,
	int64_t until)
{
	table_time(&q->table, since - t->start);
	table_time(&q->table, until - since);
	table_share(&q->table, (double)(until - since),
		(double)(t->end - t->start));
}

/* Prints the parts of one task in time order. */
static bool
where_one(struct task_query *q, struct err *err)
{
	const struct milestone *m;
	struct task t;
	int64_t since;
	int n;

	query_columns(q, one_columns, 5);
	if (!task_store_find(&q->store, q->id, &t)) {
		if (!store_read_failed(q->store.reader, err))
			err_set(err, ERR_INPUT, "there is no task %" PRIu64,
				q->id);
		return false;
	}
	m = task_store_milestones(&q->store, q->id, &n);
	since = t.start;
	for (int i = 0; i < n; i++) {
		put_part(q, &t, since, m[i].time);
		query_name(q, m[i].kind);
		query_name(q, m[i].what);
		since = m[i].time;
	}
	if (since < t.end || n == 0) {
		put_part(q, &t, since, t.end);
		table_word(&q->table, t.open ? "(open)" : "(rest)");
		table_word(&q->table, "");
	}
	return true;
}

static const struct table_column all_columns[] = {
	{ .name = "total", .kind = TABLE_TIME },
	{ .name = "share_percent", .title = "share", .kind = TABLE_SHARE },
	{ .name = "times", .kind = TABLE_NUMBER },
	{ .name = "mean", .kind = TABLE_TIME },
	{ .name = "kind" },
	{ .name = "what" },
};

struct part {
	uint32_t kind, what; /* 0: after the last milestone */
	uint64_t times;
	int64_t total;
};

struct parts {
	struct arena *arena;
	VEC(struct part) at;
	struct map index; /* kind and what to the index + 1 */
	struct map since; /* id of a task to its index in `task` + 1 */
	VEC(struct span) task;
	int64_t whole;
};

struct span {
	int64_t since, end;
};

static void
add(struct parts *p, uint32_t kind, uint32_t what, int64_t time)
{
	uint64_t *address = map_put(&p->index, (uint64_t)kind << 32 | what);
	struct part *part;

	if (*address == 0) {
		VEC_PUSH(&p->at, p->arena,
			((struct part){ .kind = kind, .what = what }));
		*address = (uint64_t)p->at.n;
	}
	part = &p->at.at[*address - 1];
	part->times++;
	if (__builtin_add_overflow(part->total, time, &part->total))
		part->total = INT64_MAX;
	if (__builtin_add_overflow(p->whole, time, &p->whole))
		p->whole = INT64_MAX;
}

static void
reach(struct parts *p, const struct milestone *m)
{
	const uint64_t *address = map_get(&p->since, m->task);
	struct span *span;

	if (address == NULL)
		return;
	span = &p->task.at[*address - 1];
	add(p, m->kind, m->what, m->time - span->since);
	span->since = m->time;
}

static void
collect(struct task_query *q, struct parts *p)
{
	struct milestone m;
	struct task t;

	task_store_start(&q->store);
	while (task_store_next(&q->store, &t)) {
		VEC_PUSH(&p->task, p->arena, ((struct span){ t.start, t.end }));
		*map_put(&p->since, t.id) = (uint64_t)p->task.n;
	}
	task_store_start_milestones(&q->store);
	while (p->task.n > 0 && task_store_next_milestone(&q->store, &m))
		reach(p, &m);
	for (int i = 0; i < p->task.n; i++)
		if (p->task.at[i].since < p->task.at[i].end)
			add(p, 0, 0, p->task.at[i].end - p->task.at[i].since);
}

static int
larger(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->what < b->what ? -1 : a->what > b->what;
}

static void
where_all(struct task_query *q)
{
	struct parts p = { .arena = &q->store.arena };

	query_columns(q, all_columns, 6);
	collect(q, &p);
	if (p.at.n > 1)
		qsort(p.at.at, (size_t)p.at.n, sizeof *p.at.at, larger);
	for (int i = 0; i < p.at.n && i < q->top; i++) {
		const struct part *part = &p.at.at[i];

		table_time(&q->table, part->total);
		table_share(&q->table, (double)part->total, (double)p.whole);
		table_u64(&q->table, part->times);
		table_time(&q->table, part->total / (int64_t)part->times);
		if (part->kind == 0) {
			table_word(&q->table, "(rest)");
			table_word(&q->table, "");
			continue;
		}
		query_name(q, part->kind);
		query_name(q, part->what);
	}
	map_fini(&p.index);
	map_fini(&p.since);
}

bool
query_where(struct task_query *q, struct err *err)
{
	if (q->has_id)
		return where_one(q, err);
	where_all(q);
	return true;
}
