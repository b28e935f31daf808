/* SPDX-License-Identifier: MIT */
/*
 * catalog.h - the tables by which a store describes itself.
 *
 * weft_schema has a row for each column of each table, weft_names has the
 * interned texts. weft_spool, only in spool files, has for each table the
 * number that its first row would have had in the store that could no longer be
 * reached. These are tables like any other, so drivers need no code for them.
 */
#ifndef WEFT_STORE_CATALOG_H
#define WEFT_STORE_CATALOG_H

#include "base/err.h"
#include "store/row.h"

extern const struct store_table store_schema, store_names, store_spool;

/* Columns of weft_schema. */
enum { SCHEMA_TAB, SCHEMA_COL, SCHEMA_TYPE, SCHEMA_NULLABLE, SCHEMA_INDEXED };

/* Returns the column type of that name, or -1. */
int store_type_find(const char *name);

/* Returns true if the name, the columns and their number conform to store.h. */
bool store_table_check(const struct store_table *t, struct err *err);

/* Returns true if both tables have the same columns. */
bool store_table_equal(
	const struct store_table *a, const struct store_table *b);

/* Fills t->n rows of five values: the rows of weft_schema that describe t. */
void store_table_describe(const struct store_table *t, struct store_value *row);

#endif
