/* SPDX-License-Identifier: MIT */
#include "store/copy.h"

#include <string.h>

#include "store/meta.h"
#include "store/store.h"

/* The value with a text in the place of a name's number. */
static struct store_value
spelled(const struct store_reader *r, const struct store_column *c,
	const struct store_value *v)
{
	size_t size;
	const char *text;

	if (v->null || c->type != STORE_NAME)
		return *v;
	text = store_read_name(r, v->u, &size);
	return store_text(text, (uint32_t)size);
}

static bool
is_text(const struct store_column *c)
{
	return c->type == STORE_TEXT || c->type == STORE_NAME;
}

/* The rows that two walks are at. */
struct pair {
	struct store_reader *a, *b;
	const struct store_table *table;
	struct store_value row_a[STORE_COLUMNS_MAX], row_b[STORE_COLUMNS_MAX];
};

static bool
is_equal(const struct pair *p)
{
	for (uint32_t i = 0; i < p->table->n; i++) {
		const struct store_column *c = &p->table->column[i];
		struct store_value a = spelled(p->a, c, &p->row_a[i]);
		struct store_value b = spelled(p->b, c, &p->row_b[i]);

		if (a.null != b.null)
			return false;
		if (a.null)
			continue;
		if (is_text(c) ? a.size != b.size ||
					memcmp(a.text, b.text, a.size) != 0
			       : a.u != b.u)
			return false;
	}
	return true;
}

/* How many rows at the begin of `from` are in `there` already. */
static uint64_t
count_there(struct store_reader *from, struct store_reader *there,
	const struct store_table *t)
{
	uint64_t first = store_read_spooled(from, t), n = 0;
	const struct store_table *old =
		there == NULL ? NULL : store_read_find(there, t->name);
	struct pair p = { .a = from, .b = there, .table = t };

	if (first == 0 || old == NULL || !store_table_equal(old, t))
		return 0;
	store_read_start(there, old, NULL);
	for (uint64_t i = 1; i < first; i++)
		if (!store_read_next(there, p.row_b))
			return 0;
	store_read_start(from, t, NULL);
	while (store_read_next(there, p.row_b) &&
		store_read_next(from, p.row_a)) {
		if (!is_equal(&p))
			return 0;
		n++;
	}
	return n;
}

static void
copy_table(struct store_reader *from, struct store *to,
	const struct store_table *t, struct store_copied *n, uint64_t skip)
{
	int table = store_table(to, t);
	struct store_value row[STORE_COLUMNS_MAX];

	store_read_start(from, t, NULL);
	while (store_read_next(from, row)) {
		if (skip > 0) {
			skip--;
			n->skipped++;
			continue;
		}
		for (uint32_t i = 0; i < t->n; i++) {
			struct store_value v =
				spelled(from, &t->column[i], &row[i]);

			if (t->column[i].type == STORE_NAME && !v.null)
				row[i] = store_name(
					store_intern(to, v.text, v.size));
		}
		store_put(to, table, row);
		n->rows++;
	}
}

bool
store_copy(struct store_reader *from, struct store_reader *there,
	struct store *to, struct store_copied *n, struct err *err)
{
	const struct store_table *t;

	*n = (struct store_copied){ 0 };
	for (uint32_t i = 0; (t = store_read_table(from, i)) != NULL; i++)
		copy_table(from, to, t, n, count_there(from, there, t));
	return !store_read_failed(from, err) &&
		(there == NULL || !store_read_failed(there, err));
}
