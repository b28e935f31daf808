/* SPDX-License-Identifier: MIT */
/*
 * sql.h - the statements of a table, in the words of one database.
 *
 * All names are quoted, so a column may be called "where". Texts are from the
 * arena.
 */
#ifndef WEFT_STORE_SQL_H
#define WEFT_STORE_SQL_H

#include "store/row.h"

struct arena;

struct sql_words {
	char quote;           /* around names */
	const char *type[6];  /* by enum store_type */
	const char *row;      /* column of row numbers, with its comma, or "" */
	const char *order_by; /* what brings rows into their order */
	const char *index;    /* "CREATE INDEX" */
	const char *index_text; /* behind the name of a text in an index */
	bool skips_null;        /* an index leaves them out */
	const char *end;        /* behind the columns of a new table */
};

const char *sql_create(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

/* "INSERT INTO task(id,kind) VALUES" */
const char *sql_insert(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const char *more);

/* value: how the wanted value is written, or NULL: all rows. */
const char *sql_select(struct arena *a, const struct sql_words *w,
	const struct store_table *t, const struct store_where *where,
	const char *value);

const char *sql_index(struct arena *a, const struct sql_words *w,
	const struct store_table *t, uint32_t column);

/* A view weft_view_TABLE, with texts in the place of the numbers of names;
 * NULL if the table has no names. */
const char *sql_view(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

/* "DROP TABLE IF EXISTS task", the same for its view. */
const char *sql_drop(struct arena *a, const struct sql_words *w,
	const struct store_table *t);
const char *sql_drop_view(struct arena *a, const struct sql_words *w,
	const struct store_table *t);

#endif
