/* SPDX-License-Identifier: MIT */
#include "cli/tasks/query.h"

#include <inttypes.h>
#include <string.h>

#include "cli/times.h"

void
query_columns(struct task_query *q, const struct query_column *column, int n)
{
	struct arena *a = &q->store.arena;
	struct table_column *to = ARENA_ARRAY(a, struct table_column, n);
	bool text = q->format == TABLE_TEXT;

	for (int i = 0; i < n; i++) {
		const struct query_column *c = &column[i];

		to[i].name = to[i].title = c->name;
		to[i].is_number =
			c->kind == QUERY_FLAG ? !text : c->kind != QUERY_WORD;
		to[i].is_hidden =
			c->shown == (text ? SHOWN_AS_DATA : SHOWN_AS_TEXT);
		if (c->kind == QUERY_TIME)
			to[i].name = arena_printf(
				a, "%s_%s", c->name, q->store.unit);
		if (c->kind == QUERY_SHARE) {
			to[i].name = arena_printf(a, "%s_percent", c->name);
			to[i].unit = " %";
		}
	}
	q->table = (struct table){ .arena = a, .column = to, .n = n };
}

void
query_time(struct task_query *q, int64_t time)
{
	char text[TIMES_TEXT];

	if (q->format == TABLE_TEXT)
		table_cell(
			&q->table, "%s", times_text(time, q->store.unit, text));
	else
		table_cell(&q->table, "%" PRId64, time);
}

void
query_count(struct task_query *q, uint64_t count)
{
	table_cell(&q->table, "%" PRIu64, count);
}

void
query_share(struct task_query *q, int64_t part, int64_t whole)
{
	if (whole <= 0)
		table_empty(&q->table);
	else
		table_cell(&q->table, "%.1f",
			100.0 * (double)part / (double)whole);
}

void
query_flag(struct task_query *q, bool flag, const char *word)
{
	if (q->format == TABLE_TEXT)
		query_word(q, flag ? word : "");
	else
		query_word(q, flag ? "true" : "false");
}

void
query_name(struct task_query *q, uint32_t name)
{
	size_t size;
	const char *text = store_read_name(q->store.reader, name, &size);

	table_text(&q->table, text, size);
}

void
query_word(struct task_query *q, const char *word)
{
	if (word == NULL)
		table_empty(&q->table);
	else
		table_text(&q->table, word, strlen(word));
}

void
query_titled(struct task_query *q, int depth, uint32_t kind, uint32_t what)
{
	const struct store_reader *r = q->store.reader;

	table_cell(&q->table, "%*s%s %s", depth < 50 ? 2 * depth : 100, "",
		store_read_name(r, kind, NULL), store_read_name(r, what, NULL));
}
