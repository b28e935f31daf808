/* SPDX-License-Identifier: MIT */
/* The questions tree and hang: a task with all its descendants; tasks that
 * never ended, with all their ancestors. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/map.h"
#include "cli/tasks/query.h"

#define DEEPEST 1000 /* a longer chain of parents is assumed to be a circle */

static const struct table_column tree_columns[] = {
	{ .name = "task", .in = TABLE_IN_TEXT },
	{ .name = "depth", .kind = TABLE_NUMBER, .in = TABLE_IN_DATA },
	{ .name = "duration", .kind = TABLE_TIME },
	{ .name = "share_percent", .title = "share", .kind = TABLE_SHARE },
	{ .name = "start", .kind = TABLE_TIME },
	{ .name = "id", .kind = TABLE_NUMBER },
	{ .name = "kind", .in = TABLE_IN_DATA },
	{ .name = "what", .in = TABLE_IN_DATA },
	{ .name = "location" },
	{ .name = "open", .kind = TABLE_FLAG },
};

struct walk {
	struct task_query *q;
	struct map seen; /* ids of visited tasks, because parents may form a
	                  * circle */
	int64_t whole;
	uint64_t again, deeper;
};

static void
put_task(struct walk *w, const struct task *t, int depth)
{
	struct task_query *q = w->q;

	query_titled(q, depth, t->kind, t->what);
	table_u64(&q->table, (uint64_t)depth);
	table_time(&q->table, t->end - t->start);
	table_share(&q->table, (double)(t->end - t->start), (double)w->whole);
	query_task(q, t);
	table_flag(&q->table, t->open);
}

static void
put_tree(struct walk *w, const struct task *t, int depth)
{
	uint64_t *seen = map_put(&w->seen, t->id);
	const struct task *child;
	int n;

	if (*seen != 0) {
		w->again++;
		return;
	}
	*seen = 1;
	put_task(w, t, depth);
	if (depth >= w->q->depth)
		return;
	if (depth >= DEEPEST) {
		w->deeper++;
		return;
	}
	child = task_store_children(&w->q->store, t->id, &n);
	for (int i = 0; i < n; i++)
		put_tree(w, &child[i], depth + 1);
}

bool
query_tree(struct task_query *q, struct err *err)
{
	struct walk w = { .q = q };
	struct task t;

	query_columns(q, tree_columns, 10);
	if (!task_store_find(&q->store, q->id, &t)) {
		if (!store_read_failed(q->store.reader, err))
			err_set(err, ERR_INPUT, "there is no task %" PRIu64,
				q->id);
		return false;
	}
	w.whole = t.end - t.start;
	put_tree(&w, &t, 0);
	map_fini(&w.seen);
	if (w.again > 0)
		log_warning("%" PRIu64
			    " %s its own descendant, or stored twice",
			w.again, w.again == 1 ? "task is" : "tasks are each");
	if (w.deeper > 0)
		log_warning(
			"%" PRIu64
			" tasks at depth %d have children that are not shown",
			w.deeper, DEEPEST);
	return true;
}

/* The tasks that never ended, and the last milestone of each. */
struct hang {
	VEC(struct task) open;
	struct milestone *last; /* last milestone of each open task; task id 0:
	                         * none */
	bool *is_parent;        /* whether it is the parent of another open
	                         * task */
	struct map index;       /* id to the index in `open` + 1 */
	uint64_t ended;
};

static const struct table_column hang_columns[] = {
	{ .name = "chain", .kind = TABLE_NUMBER, .in = TABLE_IN_DATA },
	{ .name = "depth", .kind = TABLE_NUMBER, .in = TABLE_IN_DATA },
	{ .name = "open task, and what waits for it", .in = TABLE_IN_TEXT },
	{ .name = "duration", .kind = TABLE_TIME },
	{ .name = "start", .kind = TABLE_TIME },
	{ .name = "id", .kind = TABLE_NUMBER },
	{ .name = "kind", .in = TABLE_IN_DATA },
	{ .name = "what", .in = TABLE_IN_DATA },
	{ .name = "location" },
	{ .name = "last milestone", .in = TABLE_IN_TEXT },
	{ .name = "milestone_kind", .in = TABLE_IN_DATA },
	{ .name = "milestone_what", .in = TABLE_IN_DATA },
};

static int
by_start(const void *pa, const void *pb)
{
	const struct task *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int
find_open(const struct hang *h, uint64_t id)
{
	const uint64_t *address = map_get(&h->index, id);

	return address == NULL ? -1 : (int)*address - 1;
}

static void
collect(struct task_query *q, struct hang *h)
{
	struct arena *a = &q->store.arena;
	struct task t;
	struct milestone m;

	task_store_start(&q->store);
	while (task_store_next(&q->store, &t))
		if (t.open)
			VEC_PUSH(&h->open, a, t);
		else
			h->ended++;
	if (h->open.n > 1)
		qsort(h->open.at, (size_t)h->open.n, sizeof t, by_start);
	h->last = ARENA_ARRAY(a, struct milestone, h->open.n);
	h->is_parent = ARENA_ARRAY(a, bool, h->open.n);
	for (int i = 0; i < h->open.n; i++)
		*map_put(&h->index, h->open.at[i].id) = (uint64_t)i + 1;
	for (int i = 0; i < h->open.n; i++) {
		int parent = !h->open.at[i].has_parent
			? -1
			: find_open(h, h->open.at[i].parent);

		if (parent >= 0)
			h->is_parent[parent] = true;
	}
	task_store_start_milestones(&q->store);
	while (h->open.n > 0 && task_store_next_milestone(&q->store, &m)) {
		int i = find_open(h, m.task);

		if (i >= 0)
			h->last[i] = m;
	}
}

static void
put_open(struct task_query *q, const struct hang *h, int i, int depth)
{
	const struct task *t = &h->open.at[i];
	const struct milestone *m = &h->last[i];

	query_titled(q, depth, t->kind, t->what);
	table_time(&q->table, t->end - t->start);
	query_task(q, t);
	if (m->kind == 0) {
		table_word(&q->table, "");
		table_empty(&q->table);
		table_empty(&q->table);
		return;
	}
	query_titled(q, 0, m->kind, m->what);
	query_name(q, m->kind);
	query_name(q, m->what);
}

static void
put_chain(struct task_query *q, struct hang *h, int i, uint64_t number)
{
	for (int depth = 0; i >= 0 && depth < DEEPEST; depth++) {
		const struct task *t = &h->open.at[i];

		table_u64(&q->table, number);
		table_u64(&q->table, (uint64_t)depth);
		put_open(q, h, i, depth);
		i = t->has_parent ? find_open(h, t->parent) : -1;
	}
}

bool
query_hang(struct task_query *q, struct err *err)
{
	struct hang h = { 0 };
	uint64_t chains = 0;

	(void)err;
	query_columns(q, hang_columns, 12);
	collect(q, &h);
	q->none = h.open.n > 0
		? NULL
		: arena_printf(&q->store.arena,
			  "no task is open; %" PRIu64 " ended", h.ended);
	for (int i = 0; i < h.open.n; i++) {
		if (h.is_parent[i])
			continue;
		if (chains++ < (uint64_t)q->top)
			put_chain(q, &h, i, chains);
	}
	if (chains > (uint64_t)q->top)
		log_note("%" PRIu64 " more chains; --top shows them",
			chains - (uint64_t)q->top);
	if (h.open.n > 0 && chains == 0)
		log_warning("%d open tasks wait for each other in circles",
			h.open.n);
	map_fini(&h.index);
	return true;
}
