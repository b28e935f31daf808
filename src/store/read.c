/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "store/catalog.h"
#include "store/driver.h"
#include "store/load.h"
#include "store/store.h"
#include "store/texts.h"

#define TIMEOUT_MS 10000

struct store_reader {
	struct arena arena;
	struct store_address address;
	struct store_setup setup;
	struct store_back *back;
	struct names names;
	struct store_tables tables;
	const struct store_table *table; /* table being read; NULL: none */
	int where;                       /* the column of the condition, or
	                                  * -1 */
	struct store_value wanted;
	const char *only; /* column named in store_read_only(), or NULL */
	uint64_t only_value;
	int only_at;        /* index of `only` in the walk's table, or -1 */
	bool has_all_names; /* the last look for new names found none */
	struct err err;
};

static bool
open_back(struct store_reader *r, struct err *err)
{
	const struct store_driver *d;
	struct err why = { 0 };

	if (r->address.path != NULL && !file_check(r->address.path, err))
		return false;
	d = store_driver_find(r->address.kind, err);
	if (d == NULL)
		return false;
	r->setup = (struct store_setup){ .arena = &r->arena,
		.address = &r->address,
		.mode = STORE_READ,
		.timeout_ms = TIMEOUT_MS };
	r->back = d->open(&r->setup, err);
	if (r->back == NULL)
		return false;
	if (!d->is_there(r->back, &why)) {
		if (why.kind == ERR_NONE)
			err_set(&why, ERR_INPUT,
				"not a weft store; give the one that the "
				"simulator wrote");
		*err = why;
		return false;
	}
	return store_load_schema(r->back, &r->arena, &r->tables, err) &&
		(d->texts || store_load_names(r->back, &r->names, err));
}

struct store_reader *
store_read(const char *address, struct err *err)
{
	struct arena arena = { 0 };
	struct store_reader *r = ARENA_NEW(&arena, struct store_reader);

	r->arena = arena;
	names_init(&r->names, &r->arena);
	if (store_address_parse(&r->address, &r->arena,
		    arena_strdup(&r->arena, address), err)) {
		if (open_back(r, err))
			return r;
		if (r->address.path == NULL)
			store_password_hide(err);
		err_in(err, "%s", address);
	}
	store_read_close(r);
	return NULL;
}

const struct store_table *
store_read_table(const struct store_reader *r, uint32_t index)
{
	return index < (uint32_t)r->tables.table.n ? r->tables.table.at[index]
						   : NULL;
}

const struct store_table *
store_read_find(const struct store_reader *r, const char *name)
{
	return store_tables_find(&r->tables, name);
}

static void
stop(struct store_reader *r)
{
	if (r->table != NULL)
		r->back->driver->stop(r->back);
	r->table = NULL;
}

void
store_read_only(struct store_reader *r, const char *column, uint64_t value)
{
	r->only = column;
	r->only_value = value;
}

static int
find_column(const struct store_table *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (strcmp(t->column[i].name, name) == 0)
			return (int)i;
	return -1;
}

void
store_read_start(struct store_reader *r, const struct store_table *t,
	const struct store_where *where)
{
	struct store_where only = { r->only, store_uint(r->only_value) };

	stop(r);
	if (r->err.kind != ERR_NONE)
		return;
	r->where = -1;
	r->only_at = r->only != NULL ? find_column(t, r->only) : -1;
	if (where == NULL && r->only_at >= 0)
		where = &only;
	if (where != NULL) {
		r->where = find_column(t, where->column);
		r->wanted = where->value;
		if (r->where < 0) {
			err_set(&r->err, ERR_INPUT, "table %s has no column %s",
				t->name, where->column);
			return;
		}
	}
	if (r->back->driver->start(r->back, t, where, &r->err))
		r->table = t;
	else
		err_in(&r->err, "%s", r->address.text);
}

/* Replaces texts of names by numbers. */
static void
intern_row(struct store_reader *r, struct store_value *row)
{
	for (uint32_t i = 0; i < r->table->n; i++)
		if (r->table->column[i].type == STORE_NAME && !row[i].null)
			row[i] = store_name(
				names_add(&r->names, row[i].text, row[i].size));
}

static bool
is_wanted(const struct store_reader *r, const struct store_value *row)
{
	const struct store_value *v = &row[r->where], *w = &r->wanted;

	if (v->null)
		return false;
	switch (r->table->column[r->where].type) {
	case STORE_TEXT:
		return v->size == w->size &&
			memcmp(v->text, w->text, v->size) == 0;
	case STORE_REAL:
		return v->real == w->real;
	default:
		return v->u == w->u;
	}
}

/* Returns false for a null in a column that is not nullable: the store is
 * damaged or was written by another program. */
static bool
is_complete(struct store_reader *r, const struct store_value *row)
{
	for (uint32_t i = 0; i < r->table->n; i++) {
		const struct store_column *c = &r->table->column[i];

		if (row[i].null && !c->nullable && c->type != STORE_REAL)
			return err_set(&r->err, ERR_INPUT,
				"a row has no value in the column %s", c->name);
	}
	return true;
}

/* Reads the names that a writer has added since. Uses a connection of its own,
 * because a walk is in progress. */
static void
read_more_names(struct store_reader *r)
{
	const struct store_driver *d = r->back->driver;
	struct err ignored = { 0 };
	struct store_back *b = d->open(&r->setup, &ignored);
	uint32_t before = r->names.n;
	struct names now;

	names_init(&now, &r->arena);
	if (b != NULL && store_load_names(b, &now, &ignored))
		for (uint32_t i = before; i < now.n; i++)
			names_append(&r->names, now.at[i].text, now.at[i].size);
	r->has_all_names = r->names.n == before;
	names_fini(&now);
	if (b != NULL)
		d->close(b);
}

/* Makes sure that the names of a row are known: the row may be younger than the
 * names read so far. */
static void
know_names(struct store_reader *r, const struct store_value *row)
{
	for (uint32_t i = 0; i < r->table->n && !r->has_all_names; i++)
		if (r->table->column[i].type == STORE_NAME && !row[i].null &&
			row[i].u > r->names.n)
			read_more_names(r);
}

bool
store_read_next(struct store_reader *r, struct store_value *row)
{
	const struct store_driver *d = r->back->driver;

	if (r->table == NULL)
		return false;
	while (d->next(r->back, row, &r->err) && is_complete(r, row)) {
		if (d->texts)
			intern_row(r, row);
		else
			know_names(r, row);
		if ((r->where < 0 || is_wanted(r, row)) &&
			(r->only_at < 0 || row[r->only_at].u == r->only_value))
			return true;
	}
	if (r->err.kind != ERR_NONE)
		err_in(&r->err, "%s: %s", r->address.text, r->table->name);
	stop(r);
	return false;
}

bool
store_read_failed(const struct store_reader *r, struct err *err)
{
	if (r->err.kind != ERR_NONE && err->kind == ERR_NONE)
		*err = r->err;
	return r->err.kind != ERR_NONE;
}

const char *
store_read_name(const struct store_reader *r, uint64_t name, size_t *size)
{
	static const struct name none = { .text = "" };
	const struct name *n =
		name - 1 < r->names.n ? &r->names.at[name - 1] : &none;

	if (size != NULL)
		*size = n->size;
	return n->text;
}

uint32_t
store_read_names(const struct store_reader *r)
{
	return r->names.n;
}

uint64_t
store_read_spooled(struct store_reader *r, const struct store_table *t)
{
	size_t n = strlen(t->name);
	struct store_value row[2];
	uint64_t first = 0;

	if (strcmp(r->address.kind, "json") != 0)
		return 0;
	store_read_start(r, &store_spool, NULL);
	while (first == 0 && store_read_next(r, row))
		if (row[0].size == n && memcmp(row[0].text, t->name, n) == 0)
			first = row[1].u;
	stop(r);
	return first;
}

bool
store_read_is(const struct store_reader *r, const char *kind)
{
	return strcmp(r->address.kind, kind) == 0;
}

bool
store_read_has_index(const struct store_reader *r)
{
	return !r->back->driver->texts;
}

void
store_read_close(struct store_reader *r)
{
	struct arena arena = r->arena;

	if (r->back != NULL) {
		stop(r);
		r->back->driver->close(r->back);
	}
	names_fini(&r->names);
	arena_fini(&arena);
}
