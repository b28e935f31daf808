/* SPDX-License-Identifier: MIT */
/*
 * meta.h - the tables by which a store describes itself.
 *
 * weft_schema has a row for each column of each table, weft_names the interned
 * texts, weft_spool (of spool files) which number the first row of each table
 * would have had in the store that went away. They are tables as any other, so
 * drivers need no code for them.
 */
#ifndef WEFT_STORE_META_H
#define WEFT_STORE_META_H

#include "base/err.h"
#include "store/row.h"

extern const struct store_table store_schema, store_names, store_spool;

/* Columns of weft_schema. */
enum { SCHEMA_TAB, SCHEMA_COL, SCHEMA_TYPE, SCHEMA_NULLABLE, SCHEMA_INDEXED };

/* The type of a word, or -1. */
int store_type_find(const char *name);

/* True if the name, the columns and their number are what store.h allows. */
bool store_table_check(const struct store_table *t, struct err *err);

/* True if both have the same columns. */
bool store_table_equal(
	const struct store_table *a, const struct store_table *b);

/* The rows of weft_schema that describe t: t->n rows of five values. */
void store_table_describe(const struct store_table *t, struct store_value *row);

#endif
