/* SPDX-License-Identifier: MIT */
#include "store/catalog.h"

#include <string.h>

#define NAME_BYTES_MAX 48

static const struct store_column schema_column[] = {
	[SCHEMA_TAB] = { .name = "tab", .type = STORE_TEXT },
	[SCHEMA_COL] = { .name = "col", .type = STORE_TEXT },
	[SCHEMA_TYPE] = { .name = "type", .type = STORE_TEXT },
	[SCHEMA_NULLABLE] = { .name = "nullable", .type = STORE_FLAG },
	[SCHEMA_INDEXED] = { .name = "indexed", .type = STORE_FLAG },
};

static const struct store_column names_column[] = {
	{ .name = "id", .type = STORE_UINT, .index = true },
	{ .name = "name", .type = STORE_TEXT },
};

static const struct store_column spool_column[] = {
	{ .name = "tab", .type = STORE_TEXT },
	{ .name = "first", .type = STORE_UINT },
};

const struct store_table store_schema = { "weft_schema", schema_column, 5 };
const struct store_table store_names = { "weft_names", names_column, 2 };
const struct store_table store_spool = { "weft_spool", spool_column, 2 };

static const char *const type_name[] = {
	[STORE_INT] = "int",
	[STORE_UINT] = "uint",
	[STORE_REAL] = "real",
	[STORE_TEXT] = "text",
	[STORE_NAME] = "name",
	[STORE_FLAG] = "flag",
};

int
store_type_find(const char *name)
{
	for (int i = 0; i <= STORE_FLAG; i++)
		if (strcmp(type_name[i], name) == 0)
			return i;
	return -1;
}

static bool
is_identifier(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return n > 0 && n <= NAME_BYTES_MAX && name[n] == '\0' &&
		name[0] >= 'a' && strncmp(name, "weft_", 5) != 0;
}

static bool
has_twice(const struct store_table *t, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if (strcmp(t->column[i].name, t->column[j].name) == 0)
			return true;
	return false;
}

bool
store_table_check(const struct store_table *t, struct err *err)
{
	if (!is_identifier(t->name))
		return err_set(err, ERR_INPUT,
			"\"%s\" is not a valid name of a table", t->name);
	if (t->n == 0 || t->n > STORE_COLUMNS_MAX)
		return err_set(err, ERR_LIMIT,
			"table %s has %u columns; 1 to %d are allowed", t->name,
			t->n, STORE_COLUMNS_MAX);
	for (uint32_t i = 0; i < t->n; i++) {
		const char *name = t->column[i].name;

		if (!is_identifier(name) || strcmp(name, "table") == 0)
			return err_set(err, ERR_INPUT,
				"\"%s\" is not a valid name of a column (table "
				"%s)",
				name, t->name);
		if (has_twice(t, i))
			return err_set(err, ERR_INPUT,
				"table %s has two columns %s", t->name, name);
	}
	return true;
}

static bool
is_nullable(const struct store_column *c)
{
	return c->nullable || c->type == STORE_REAL;
}

bool
store_table_equal(const struct store_table *a, const struct store_table *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct store_column *x = &a->column[i];
		const struct store_column *y = &b->column[i];

		if (strcmp(x->name, y->name) != 0 || x->type != y->type ||
			is_nullable(x) != is_nullable(y))
			return false;
	}
	return true;
}

static struct store_value
text(const char *s)
{
	return store_text(s, (uint32_t)strlen(s));
}

void
store_table_describe(const struct store_table *t, struct store_value *row)
{
	for (uint32_t i = 0; i < t->n; i++, row += store_schema.n) {
		const struct store_column *c = &t->column[i];

		row[SCHEMA_TAB] = text(t->name);
		row[SCHEMA_COL] = text(c->name);
		row[SCHEMA_TYPE] = text(type_name[c->type]);
		row[SCHEMA_NULLABLE] = store_flag(is_nullable(c));
		row[SCHEMA_INDEXED] = store_flag(c->index);
	}
}
