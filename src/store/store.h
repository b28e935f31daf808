/* SPDX-License-Identifier: MIT */
/*
 * store.h - writes rows into a database or into files, and reads them: one
 * interface for SQLite, MariaDB and MySQL, MongoDB, CSV and JSON.
 *
 * A table is declared once; its rows are arrays of values, one for each column.
 * Repeated texts are interned: a row has their number.
 *
 *	struct store *s = store_open("sqlite:run.db", NULL, &err);
 *	int task = store_table(s, &task_table);
 *	uint32_t kind = store_intern(s, "req_in", 6);
 *	store_put(s, task, (struct store_value[]){
 *		store_int(1), store_null(), store_name(kind) });
 *	if (!store_close(s, &report, &err))
 *		...
 *
 * Rows are collected in batches; a batch is written as a whole or not at all.
 * If the database cannot be reached, the batch is retried for a bounded time.
 * Then this batch and all later rows go to a spool file (a JSON store, which
 * `weft tasks load` imports). If that fails, too, rows are counted as lost. So
 * store_put() never fails and never blocks for long; store_close() reports how
 * many rows were stored, spooled and lost. Once batches and names have reached
 * their size no row needs an allocation. A store has one user at a time.
 */
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct store;
struct store_reader;

struct store_options {
	bool append;        /* append to an existing store instead of
	                     * replacing it */
	const char *spool;  /* path of the spool file; NULL: beside the
	                     * store's file, or in the current directory */
	bool no_spool;      /* rows that the store cannot take are lost: the
	                     * caller writes all of them anew */
	int64_t retry_ms;   /* how long an unreachable database is retried;
	                     * 0: 5000, negative: not at all */
	int64_t timeout_ms; /* limit of one request; 0: 10000 */
};

/* The numbers of rows of all tables by their fate, and the first failure. */
struct store_report {
	uint64_t stored;  /* acknowledged by the store */
	uint64_t spooled; /* in the spool file */
	uint64_t lost;    /* nowhere */
	uint64_t retries;
	char spool[256]; /* path of the spool file; "" without one */
	struct err why;  /* the first failure */
};

/*
 * Opens a store for writing. Its address is one of
 *
 *	sqlite:FILE, csv:DIR, json:FILE
 *	mariadb://[USER@]HOST[:PORT]/DATABASE, mysql:// the same
 *	mongodb://[USER@]HOST[:PORT]/DATABASE
 *
 * A name without a kind is SQLite's, or JSON's if it ends in ".json". The
 * password comes from the environment (WEFT_STORE_PASSWORD, or the file named
 * by WEFT_STORE_PASSWORD_FILE), never from the address. An existing store is
 * replaced or appended to; a file that is no weft store, or that another
 * program is writing, is refused. The database of a MariaDB server must exist;
 * weft makes its own tables in it. options may be NULL. Returns NULL and
 * sets err on failure.
 */
struct store *store_open(const char *address,
	const struct store_options *options, struct err *err);

/* Returns true if the store appends to one that had tables. */
bool store_was_there(const struct store *s);

/*
 * Declares a table and returns its number for store_put(). The declaration is
 * borrowed until the store is closed. With options.append, an existing table of
 * that name and the same columns is continued. A refused declaration is
 * reported by store_close(), and its rows are lost.
 */
int store_table(struct store *s, const struct store_table *t);

/* Returns the number, from 1, of a text of n bytes. Invalid UTF-8 becomes
 * U+FFFD. */
uint32_t store_intern(struct store *s, const char *text, size_t n);

/* Adds a row: a value for each column, in order. Texts are copied. A null in a
 * column that is not nullable is a bug of the caller. */
void store_put(struct store *s, int table, const struct store_value *row);

/* Writes all collected rows, so that readers see them. */
void store_flush(struct store *s);

/*
 * Writes all collected rows, builds indexes and closes the store. Returns false
 * and sets err unless every row is in the store; the text says how many rows
 * are in which spool file and how many are lost. report may be NULL.
 */
bool store_close(struct store *s, struct store_report *report, struct err *err);

/* Opens a store for reading and does not modify it. Returns NULL and sets err
 * on failure. */
struct store_reader *store_read(const char *address, struct err *err);

/* Returns a table by index in the order of declaration, or NULL past the
 * last. */
const struct store_table *store_read_table(
	const struct store_reader *r, uint32_t index);

/* Returns the table with that name, or NULL. */
const struct store_table *store_read_find(
	const struct store_reader *r, const char *name);

/*
 * Begins a walk over the rows of a table in the order of writing. Stops a walk
 * that has not ended. where may be NULL: all rows.
 */
void store_read_start(struct store_reader *r, const struct store_table *t,
	const struct store_where *where);

/*
 * From now on walks return only rows whose column has that value, for tables
 * that have such a column of integers. Not allowed during a walk.
 */
void store_read_only(
	struct store_reader *r, const char *column, uint64_t value);

/* Reads the next row, a value for each column. Texts are valid until the next
 * call. Returns false at the end and after a failure, which store_read_failed()
 * reports. */
bool store_read_next(struct store_reader *r, struct store_value *row);

/* Returns true and sets err if a walk has failed at any time. */
bool store_read_failed(const struct store_reader *r, struct err *err);

/* Returns the text of a name, followed by a NUL; size may be NULL. Returns ""
 * for an unknown number. */
const char *store_read_name(
	const struct store_reader *r, uint64_t name, size_t *size);

/* Returns the number of names known so far; names in files become known as rows
 * are read. */
uint32_t store_read_names(const struct store_reader *r);

/* Returns, for a table of a spool file, the number from 1 that its first row
 * would have had in the store that could no longer be reached; for any other
 * store 0. Stops a walk. */
uint64_t store_read_spooled(
	struct store_reader *r, const struct store_table *t);

/* Returns true if the store is of that kind, such as "json". */
bool store_read_is(const struct store_reader *r, const char *kind);

/* Returns true if a walk with a condition need not read all rows. */
bool store_read_has_index(const struct store_reader *r);

void store_read_close(struct store_reader *r);

#endif
