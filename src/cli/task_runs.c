/* SPDX-License-Identifier: MIT */
/* The runs of a store. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/task_query.h"
#include "task/schema.h"

/* What meta tells of one run. */
struct told {
	uint64_t run;
	const char *end, *dropped, *faults; /* NULL: it did not end */
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
					 : NULL;

	if (to != NULL)
		*to = arena_strndup(a, value->text, value->size);
}

static void
put_run(struct task_query *q, const struct told *t)
{
	query_count(q, t->run);
	if (t->end != NULL)
		query_time(q, strtoll(t->end, NULL, 10));
	else
		query_word(q, NULL);
	query_word(q, t->dropped);
	query_word(q, t->faults);
	query_word(q, t->end == NULL ? "did not end" : "ended");
}

bool
query_runs(struct task_query *q, struct err *err)
{
	static const struct query_column columns[] = {
		{ .name = "run", .kind = QUERY_NUMBER },
		{ .name = "end", .kind = QUERY_TIME },
		{ .name = "dropped", .kind = QUERY_NUMBER },
		{ .name = "faults", .kind = QUERY_NUMBER },
		{ .name = "state", .kind = QUERY_WORD },
	};
	struct store_value row[META_COLUMNS];
	struct told t = { 0 };

	if (q->store.meta == NULL)
		return err_set(err, ERR_INPUT, "the store has no table meta");
	query_columns(q, columns, 5);
	store_read_only(q->store.reader, NULL, 0);
	store_read_start(q->store.reader, q->store.meta, NULL);
	while (store_read_next(q->store.reader, row)) {
		uint64_t run =
			q->store.meta->n == META_COLUMNS ? row[META_RUN].u : 1;

		if (t.run != 0 && run != t.run)
			put_run(q, &t);
		if (run != t.run)
			t = (struct told){ .run = run };
		take(&t, &q->store.arena, row);
	}
	if (t.run != 0)
		put_run(q, &t);
	return true;
}
