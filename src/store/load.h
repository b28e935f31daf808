/* SPDX-License-Identifier: MIT */
/*
 * load.h - reads the tables by which a store describes itself.
 */
#ifndef WEFT_STORE_LOAD_H
#define WEFT_STORE_LOAD_H

#include "base/vec.h"
#include "store/driver.h"
#include "store/texts.h"

struct store_tables {
	VEC(const struct store_table *) table;
};

/* Reads the declarations of tables from weft_schema; they live in the arena. */
bool store_load_schema(struct store_back *b, struct arena *a,
	struct store_tables *to, struct err *err);

/* Reads the texts of weft_names. */
bool store_load_names(struct store_back *b, struct names *to, struct err *err);

/* Returns the table with that name, or NULL. */
const struct store_table *store_tables_find(
	const struct store_tables *t, const char *name);

#endif
