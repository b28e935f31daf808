/* SPDX-License-Identifier: MIT */
#include "store/sql.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"

static const char *
quoted(struct arena *a, const struct sql_words *w, const char *name)
{
	return arena_printf(a, "%c%s%c", w->quote, name, w->quote);
}

/* Returns the names of all columns, separated by commas. */
static const char *
columns(struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	const char *all = "";

	for (uint32_t i = 0; i < t->n; i++)
		all = arena_printf(a, "%s%s%s", all, i > 0 ? "," : "",
			quoted(a, w, t->column[i].name));
	return all;
}

static bool
is_meta(const struct store_table *t)
{
	return strncmp(t->name, "weft_", 5) == 0;
}

const char *
sql_create(
	struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	const char *all = w->row;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct store_column *c = &t->column[i];
		bool nullable = c->nullable || c->type == STORE_REAL;

		all = arena_printf(a, "%s%s%s %s%s%s", all, i > 0 ? "," : "",
			quoted(a, w, c->name), w->type[c->type],
			nullable ? "" : " NOT NULL",
			is_meta(t) && c->index ? " UNIQUE" : "");
	}
	return arena_printf(
		a, "CREATE TABLE %s(%s)%s", quoted(a, w, t->name), all, w->end);
}

const char *
sql_insert(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const char *more)
{
	return arena_printf(a, "INSERT INTO %s(%s%s) VALUES",
		quoted(a, w, t->name), more, columns(a, w, t));
}

const char *
sql_select(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const struct store_where *where,
	const char *value)
{
	const char *condition = "";

	if (where != NULL)
		condition = arena_printf(
			a, " WHERE %s=%s", quoted(a, w, where->column), value);
	return arena_printf(a, "SELECT %s FROM %s%s ORDER BY %s",
		columns(a, w, t), quoted(a, w, t->name), condition,
		w->order_by);
}

const char *
sql_index(struct arena *a, const struct sql_words *w,
	const struct store_table *t, uint32_t column)
{
	const struct store_column *c = &t->column[column];
	const char *name = arena_printf(a, "%s_%s", t->name, c->name);
	const char *quote = quoted(a, w, c->name), *where = "";

	if (c->nullable && w->skips_null)
		where = arena_printf(a, " WHERE %s IS NOT NULL", quote);
	return arena_printf(a, "%s %s ON %s(%s%s)%s", w->index,
		quoted(a, w, name), quoted(a, w, t->name), quote,
		c->type == STORE_TEXT ? w->index_text : "", where);
}

static const char *
view_name(
	struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	return quoted(a, w, arena_printf(a, "weft_view_%s", t->name));
}

const char *
sql_view(
	struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	const char *all = "";
	bool names = false;

	for (uint32_t i = 0; i < t->n; i++) {
		const char *name = quoted(a, w, t->column[i].name);

		all = arena_printf(a, "%s%s", all, i > 0 ? "," : "");
		if (t->column[i].type != STORE_NAME) {
			all = arena_printf(a, "%st.%s", all, name);
			continue;
		}
		names = true;
		all = arena_printf(a,
			"%s(SELECT n.name FROM weft_names n WHERE n.id=t.%s) "
			"AS %s",
			all, name, name);
	}
	if (!names)
		return NULL;
	return arena_printf(a, "CREATE VIEW %s AS SELECT %s FROM %s t",
		view_name(a, w, t), all, quoted(a, w, t->name));
}

const char *
sql_drop(
	struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	return arena_printf(
		a, "DROP TABLE IF EXISTS %s", quoted(a, w, t->name));
}

const char *
sql_drop_view(
	struct arena *a, const struct sql_words *w, const struct store_table *t)
{
	return arena_printf(a, "DROP VIEW IF EXISTS %s", view_name(a, w, t));
}
