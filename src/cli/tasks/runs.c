/* SPDX-License-Identifier: MIT */
/* The runs of a store. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/vec.h"
#include "cli/tasks/query.h"
#include "task/schema.h"

/* The facts of meta about one run. */
struct told {
	uint64_t run;
	const char *end, *dropped, *faults; /* NULL: the run did not end */
	const char *lost;                   /* NULL: nothing is lost */
	bool unread;                        /* its journal is damaged */
};

struct list {
	struct arena *arena;
	VEC(struct told) run;
};

static bool
is(const struct store_value *v, const char *text)
{
	return v->size == strlen(text) && memcmp(v->text, text, v->size) == 0;
}

static void
take(struct told *t, struct arena *a, const struct store_value *row)
{
	const struct store_value *key = &row[META_KEY];
	const struct store_value *value = &row[META_VALUE];
	const char **to = is(key, "end") ? &t->end
		: is(key, "dropped")     ? &t->dropped
		: is(key, "faults")      ? &t->faults
		: is(key, SCHEMA_LOST)   ? &t->lost
					 : NULL;

	if (to != NULL)
		*to = arena_strndup(a, value->text, value->size);
}

static void
put_run(struct task_query *q, const struct told *t)
{
	table_u64(&q->table, t->run);
	if (t->end != NULL)
		table_time(&q->table, strtoll(t->end, NULL, 10));
	else
		table_empty(&q->table);
	table_word(&q->table, t->dropped);
	table_word(&q->table, t->faults);
	if (t->lost != NULL)
		table_word(&q->table, "rows are lost");
	else if (t->unread)
		table_word(&q->table, "its journal is damaged");
	else
		table_word(&q->table, t->end == NULL ? "did not end" : "ended");
}

static struct told *
told_of(struct list *l, uint64_t run)
{
	for (int i = l->run.n; i > 0; i--)
		if (l->run.at[i - 1].run == run)
			return &l->run.at[i - 1];
	VEC_PUSH(&l->run, l->arena, (struct told){ .run = run });
	return &l->run.at[l->run.n - 1];
}

/* Reads the table meta of a store or journal. */
static bool
read_meta(struct list *l, const char *address, struct err *err)
{
	struct store_value row[META_COLUMNS];
	struct store_reader *r = store_read(address, err);
	const struct store_table *t;
	bool ok;

	if (r == NULL)
		return false;
	t = store_read_find(r, schema_meta.name);
	if (!schema_fits(t, &schema_meta)) {
		store_read_close(r);
		return err_set(err, ERR_INPUT, "the store has no table meta");
	}
	store_read_start(r, t, NULL);
	while (store_read_next(r, row))
		take(told_of(l, t->n == META_COLUMNS ? row[META_RUN].u : 1),
			l->arena, row);
	ok = !store_read_failed(r, err);
	store_read_close(r);
	return ok;
}

/* Reads a journal. If the journal is gone, its tasks are in the store by now;
 * an unreadable journal is only noted, so that it does not hide other runs. */
static void
read_journal(
	struct list *l, const char *address, const struct journals_run *run)
{
	struct err wrong = { 0 }, ignored = { 0 };

	if (read_meta(
		    l, arena_printf(l->arena, "stream:%s", run->path), &wrong))
		return;
	if (access(run->path, F_OK) != 0) {
		read_meta(l, address, &ignored);
		return;
	}
	log_warning("%s", wrong.text);
	told_of(l, run->run)->unread = true;
}

static int
by_run(const void *pa, const void *pb)
{
	const struct told *a = pa, *b = pb;

	return a->run < b->run ? -1 : a->run > b->run;
}

bool
query_runs(struct task_query *q, struct err *err)
{
	static const struct table_column columns[] = {
		{ .name = "run", .kind = TABLE_NUMBER },
		{ .name = "end", .kind = TABLE_TIME },
		{ .name = "dropped", .kind = TABLE_NUMBER },
		{ .name = "faults", .kind = TABLE_NUMBER },
		{ .name = "state" },
	};
	const struct journals *j = &q->store.journals;
	struct arena *a = &q->store.arena;
	struct list l = { .arena = a };
	struct err why = { 0 };

	/* If there is no store, the journals have all runs. */
	if (!read_meta(&l, q->store.address, &why) && j->run.n == 0) {
		*err = why;
		return false;
	}
	for (int i = 0; i < j->run.n; i++)
		read_journal(&l, q->store.address, &j->run.at[i]);
	if (l.run.n > 1)
		qsort(l.run.at, (size_t)l.run.n, sizeof *l.run.at, by_run);
	query_columns(q, columns, 5);
	for (int i = 0; i < l.run.n; i++)
		put_run(q, &l.run.at[i]);
	return true;
}
