/* SPDX-License-Identifier: MIT */
/*
 * sql.h - the SQL statements for a table in the dialect of one database.
 *
 * All names are quoted, so a column may be called "where". The texts live in
 * the arena.
 */
#ifndef WEFT_STORE_SQL_H
#define WEFT_STORE_SQL_H

#include "store/row.h"

struct arena;

struct sql_words {
	char quote;           /* around names */
	const char *type[6];  /* by enum store_type */
	const char *row;      /* column of row numbers and a comma, or "" */
	const char *order_by; /* expression that yields the order of writing */
	const char *index;    /* "CREATE INDEX" */
	const char *index_text; /* follows the name of a text column in an
	                         * index */
	bool skips_null;        /* indexes leave nulls out */
	const char *end;        /* follows the columns of a new table */
};

const char *sql_create(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

/* Returns "INSERT INTO task(id,kind) VALUES". */
const char *sql_insert(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const char *more);

/* Returns the SELECT of a walk. value: the wanted value in SQL, or NULL for all
 * rows. */
const char *sql_select(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const struct store_where *where,
	const char *value);

const char *sql_index(struct arena *a, const struct sql_words *w,
	const struct store_table *t, uint32_t column);

/* Returns the statement for a view weft_view_TABLE, which shows the texts of
 * names instead of their numbers; NULL if the table has no names. */
const char *sql_view(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

/* Return "DROP TABLE IF EXISTS task", and the same for the view. */
const char *sql_drop(struct arena *a, const struct sql_words *w,
	const struct store_table *t);
const char *sql_drop_view(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

#endif
