/* SPDX-License-Identifier: MIT */
#include "store/load.h"

#include <string.h>

#include "base/arena.h"
#include "store/catalog.h"

/* The table that is being read; its columns are consecutive rows. */
struct loading {
	struct arena *arena;
	struct store_tables *to;
	const char *name; /* name of the table; NULL: none yet */
	VEC(struct store_column) column;
};

static bool
end_table(struct loading *l, struct err *err)
{
	struct store_table *t;

	if (l->name == NULL)
		return true;
	t = ARENA_NEW(l->arena, struct store_table);
	*t = (struct store_table){ l->name, l->column.at,
		(uint32_t)l->column.n };
	memset(&l->column, 0, sizeof l->column);
	l->name = NULL;
	if (!store_table_check(t, err))
		return err_in(err, "weft_schema");
	if (store_tables_find(l->to, t->name) != NULL)
		return err_set(err, ERR_INPUT,
			"weft_schema: table %s is declared twice", t->name);
	VEC_PUSH(&l->to->table, l->arena, t);
	return true;
}

static const char *
copy(struct loading *l, const struct store_value *v)
{
	return v->null ? "" : arena_strndup(l->arena, v->text, v->size);
}

static bool
add_column(struct loading *l, const struct store_value *row, struct err *err)
{
	const char *tab = copy(l, &row[SCHEMA_TAB]);
	const char *word = copy(l, &row[SCHEMA_TYPE]);
	int type = store_type_find(word);

	if (type < 0)
		return err_set(err, ERR_INPUT,
			"weft_schema: \"%s\" is not a type", word);
	if (l->name != NULL && strcmp(l->name, tab) != 0 && !end_table(l, err))
		return false;
	l->name = tab;
	if (l->column.n >= STORE_COLUMNS_MAX)
		return err_set(err, ERR_LIMIT,
			"weft_schema: table %s has too many columns", tab);
	VEC_PUSH(&l->column, l->arena,
		((struct store_column){ .name = copy(l, &row[SCHEMA_COL]),
			.type = (enum store_type)type,
			.nullable = row[SCHEMA_NULLABLE].u != 0,
			.index = row[SCHEMA_INDEXED].u != 0 }));
	return true;
}

bool
store_load_schema(struct store_back *b, struct arena *a,
	struct store_tables *to, struct err *err)
{
	struct loading l = { .arena = a, .to = to };
	struct store_value row[5];
	struct err first = { 0 };

	if (!b->driver->start(b, &store_schema, NULL, err))
		return false;
	while (first.kind == ERR_NONE && b->driver->next(b, row, &first))
		add_column(&l, row, &first);
	b->driver->stop(b);
	if (first.kind != ERR_NONE) {
		*err = first;
		return false;
	}
	return end_table(&l, err);
}

bool
store_load_names(struct store_back *b, struct names *to, struct err *err)
{
	struct store_value row[2];
	struct err first = { 0 };

	if (!b->driver->start(b, &store_names, NULL, err))
		return false;
	while (first.kind == ERR_NONE && b->driver->next(b, row, &first)) {
		if (row[0].u != (uint64_t)to->n + 1 || row[1].null)
			err_set(&first, ERR_INPUT,
				"weft_names: name %u is missing", to->n + 1);
		else
			names_append(to, row[1].text, row[1].size);
	}
	b->driver->stop(b);
	if (first.kind != ERR_NONE)
		*err = first;
	return first.kind == ERR_NONE;
}

const struct store_table *
store_tables_find(const struct store_tables *t, const char *name)
{
	for (int i = 0; i < t->table.n; i++)
		if (strcmp(t->table.at[i]->name, name) == 0)
			return t->table.at[i];
	return NULL;
}
