/* SPDX-License-Identifier: MIT */
/*
 * load.h - what a store says of itself, read through its driver.
 */
#ifndef WEFT_STORE_LOAD_H
#define WEFT_STORE_LOAD_H

#include "base/vec.h"
#include "store/driver.h"
#include "store/names.h"

struct store_tables {
	VEC(const struct store_table *) table;
};

/* The tables that weft_schema describes, made in the arena. */
bool store_load_schema(struct store_back *b, struct arena *a,
	struct store_tables *to, struct err *err);

/* The texts of weft_names. */
bool store_load_names(struct store_back *b, struct names *to, struct err *err);

/* The table of that name, or NULL. */
const struct store_table *store_tables_find(
	const struct store_tables *t, const char *name);

#endif
