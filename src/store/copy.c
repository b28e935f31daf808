/* SPDX-License-Identifier: MIT */
#include "store/copy.h"

#include <string.h>

#include "store/catalog.h"
#include "store/store.h"

/* Returns the value; if it is the number of a name, returns its text. */
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

bool
store_same_row(const struct store_table *t, const struct store_reader *a,
	const struct store_value *row_a, const struct store_reader *b,
	const struct store_value *row_b)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct store_column *c = &t->column[i];
		struct store_value x = spelled(a, c, &row_a[i]);
		struct store_value y = spelled(b, c, &row_b[i]);

		if (x.null != y.null)
			return false;
		if (x.null)
			continue;
		if (is_text(c) ? x.size != y.size ||
					memcmp(x.text, y.text, x.size) != 0
			       : x.u != y.u)
			return false;
	}
	return true;
}

/* Returns how many rows at the beginning of `from` are also in `there`. */
static uint64_t
count_there(struct store_reader *from, struct store_reader *there,
	const struct store_table *t)
{
	uint64_t first = store_read_spooled(from, t), n = 0;
	const struct store_table *old =
		there == NULL ? NULL : store_read_find(there, t->name);
	struct store_value row[STORE_COLUMNS_MAX], old_row[STORE_COLUMNS_MAX];

	if (first == 0 || old == NULL || !store_table_equal(old, t))
		return 0;
	store_read_start(there, old, NULL);
	for (uint64_t i = 1; i < first; i++)
		if (!store_read_next(there, old_row))
			return 0;
	store_read_start(from, t, NULL);
	while (store_read_next(there, old_row) && store_read_next(from, row)) {
		if (!store_same_row(t, from, row, there, old_row))
			return 0;
		n++;
	}
	return n;
}

/* Returns the index of the shifted column, or -1. */
static int
find_column(const struct store_table *t, const struct store_shift *shift)
{
	for (uint32_t i = 0; shift != NULL && i < t->n; i++)
		if (strcmp(t->column[i].name, shift->column) == 0)
			return (int)i;
	return -1;
}

/* If `from` begins with rows that `there` has, too, returns how many rows of
 * the table are in `there`; else -1. */
static int64_t
count_same(struct store_reader *from, struct store_reader *there,
	const struct store_table *t)
{
	const struct store_table *old = store_read_find(there, t->name);
	struct store_value row[STORE_COLUMNS_MAX], old_row[STORE_COLUMNS_MAX];
	int64_t n = 0;

	if (old == NULL || !store_table_equal(old, t))
		return -1;
	store_read_start(there, old, NULL);
	store_read_start(from, t, NULL);
	for (; store_read_next(there, old_row); n++)
		if (!store_read_next(from, row) ||
			!store_same_row(t, from, row, there, old_row))
			return -1;
	return n;
}

bool
store_copy_resumes(struct store_reader *from, struct store_reader *there)
{
	const struct store_table *t;

	for (uint32_t i = 0; (t = store_read_table(from, i)) != NULL; i++)
		if (count_same(from, there, t) < 0)
			return false;
	return true;
}

static void
copy_table(struct store_reader *from, struct store *to,
	const struct store_table *t, const struct store_shift *shift,
	struct store_copied *n, uint64_t skip)
{
	int shifted = find_column(t, shift);
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
		if (shift != NULL && shifted >= 0)
			row[shifted].u += shift->by;
		store_put(to, table, row);
		n->rows++;
	}
}

bool
store_copy(struct store_reader *from, struct store_reader *there,
	struct store *to, const struct store_shift *shift,
	struct store_copied *n, struct err *err)
{
	const struct store_table *t;

	*n = (struct store_copied){ 0 };
	for (uint32_t i = 0; (t = store_read_table(from, i)) != NULL; i++)
		copy_table(from, to, t, shift, n,
			shift != NULL && shift->resume
				? (uint64_t)count_same(from, there, t)
				: count_there(from, there, t));
	return !store_read_failed(from, err) &&
		(there == NULL || !store_read_failed(there, err));
}
