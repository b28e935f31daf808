/* SPDX-License-Identifier: MIT */
#include "cli/tasks/query.h"

void
query_columns(struct task_query *q, const struct table_column *column, int n)
{
	q->table =
		table_new(&q->store.arena, column, n, q->format, q->store.unit);
}

void
query_name(struct task_query *q, uint32_t name)
{
	size_t size;
	const char *text = store_read_name(q->store.reader, name, &size);

	table_text(&q->table, text, size);
}

void
query_task(struct task_query *q, const struct task *t)
{
	table_time(&q->table, t->start);
	table_u64(&q->table, t->id);
	query_name(q, t->kind);
	query_name(q, t->what);
	query_name(q, t->location);
}

void
query_titled(struct task_query *q, int depth, uint32_t kind, uint32_t what)
{
	const struct store_reader *r = q->store.reader;

	table_cell(&q->table, "%*s%s %s", depth < 50 ? 2 * depth : 100, "",
		store_read_name(r, kind, NULL), store_read_name(r, what, NULL));
}
