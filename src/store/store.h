/* SPDX-License-Identifier: MIT */
/*
 * store.h - rows into a database, or into files: one interface over SQLite,
 * MariaDB and MySQL, MongoDB, CSV and JSON.
 *
 * A table is declared once; its rows are then put as arrays of values, one a
 * column. Texts that repeat are interned: a row holds their number.
 *
 *	struct store *s = store_open("sqlite:run.db", NULL, &err);
 *	int task = store_table(s, &task_table);
 *	uint32_t kind = store_intern(s, "req_in", 6);
 *	store_put(s, task, (struct store_value[]){
 *		store_int(1), store_null(), store_name(kind) });
 *	if (!store_close(s, &report, &err))
 *		...
 *
 * Rows wait in a batch, which is written whole or not at all. When a database
 * goes away it is asked again for a bounded time; then that batch and all that
 * follows go to a spool file (a JSON store, which `weft tasks load` imports).
 * When that fails too, rows are counted as lost. So putting rows never fails
 * and never blocks for long: store_close() says what became of them. Nothing
 * is allocated for a row once batches and names have their size. A store has
 * one user at a time.
 */
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include <stddef.h>

#include "base/err.h"
#include "store/row.h"

struct store;
struct store_reader;

struct store_options {
	bool append;        /* to what is there, instead of replacing it */
	const char *spool;  /* its file; NULL: beside the store's file, or in
	                     * the current folder */
	int64_t retry_ms;   /* how long a database that is away is asked again;
	                     * 0: 5000, negative: not at all */
	int64_t timeout_ms; /* of one request; 0: 10000 */
};

/* What became of the rows, those of all tables. */
struct store_report {
	uint64_t stored;  /* acknowledged by the store */
	uint64_t spooled; /* in the spool file */
	uint64_t lost;    /* nowhere */
	uint64_t retries;
	char spool[256]; /* the spool file's name, empty without one */
	struct err why;  /* the first trouble */
};

/*
 * Opens a place for writing:
 *
 *	sqlite:FILE, csv:FOLDER, json:FILE
 *	mariadb://[USER@]HOST[:PORT]/DATABASE, mysql:// the same
 *	mongodb://[USER@]HOST[:PORT]/DATABASE
 *
 * A name without a kind is SQLite's, or JSON's if it ends in ".json". The
 * password is taken from the environment (WEFT_STORE_PASSWORD, or the file
 * named by WEFT_STORE_PASSWORD_FILE), never from the place. A store that is
 * there is replaced, or appended to; what is no store of ours, or is being
 * written by another program, is refused. The
 * database of a server must exist (MariaDB), its tables are ours. NULL with err
 * when the store cannot be opened now. options may be NULL.
 */
struct store *store_open(const char *place, const struct store_options *options,
	struct err *err);

/* True if it is appended to a store that had tables. */
bool store_was_there(const struct store *s);

/*
 * Declares a table and returns its number for store_put(); the declaration is
 * borrowed until close. The number of the table of that name if it was there
 * already (append) with the same columns.  A refused declaration is a trouble
 * of the store (see store_close), and rows of it are lost.
 */
int store_table(struct store *s, const struct store_table *t);

/* The number, from 1, of a text of n bytes. What is no UTF-8 becomes U+FFFD. */
uint32_t store_intern(struct store *s, const char *text, size_t n);

/* Puts a row: a value for each column, in order. Texts are copied. A null in
 * a column that is not nullable is our own bug. */
void store_put(struct store *s, int table, const struct store_value *row);

/* Writes what waits, so that others see it. */
void store_flush(struct store *s);

/*
 * Writes what waits, builds indexes and closes. False with err unless every
 * row is in the store: the text says how many are in which spool file and how
 * many are lost. report may be NULL.
 */
bool store_close(struct store *s, struct store_report *report, struct err *err);

/* Opens a place for reading; it is not modified. NULL with err. */
struct store_reader *store_read(const char *place, struct err *err);

/* The tables, in the order of their declaration; NULL past the last. */
const struct store_table *store_read_table(
	const struct store_reader *r, uint32_t index);

/* The table of that name, or NULL. */
const struct store_table *store_read_find(
	const struct store_reader *r, const char *name);

/*
 * Begins a walk over the rows of a table, in the order in which they were put.
 * A walk that goes on is given up. where may be NULL: all rows.
 */
void store_read_start(struct store_reader *r, const struct store_table *t,
	const struct store_where *where);

/*
 * From now on walks give only rows whose column has that value, of tables that
 * have such a column of integers. Not within a walk.
 */
void store_read_only(
	struct store_reader *r, const char *column, uint64_t value);

/* The next row, a value a column; texts are valid until the next call. False
 * at the end, and after a failure: store_read_failed() tells which. */
bool store_read_next(struct store_reader *r, struct store_value *row);

/* True, with err, if a walk failed. Sticky. */
bool store_read_failed(const struct store_reader *r, struct err *err);

/* The text of a name, with a NUL behind its *size bytes (size may be NULL);
 * "" for a number that has none. */
const char *store_read_name(
	const struct store_reader *r, uint64_t name, size_t *size);

/* How many names there are; those of files are found as rows are read. */
uint32_t store_read_names(const struct store_reader *r);

/* Of a spool file: the number, from 1, that the first row of the table would
 * have had in the store that went away; else 0. Gives up a walk. */
uint64_t store_read_spooled(
	struct store_reader *r, const struct store_table *t);

/* True if it is a store of that kind: "json". */
bool store_read_is(const struct store_reader *r, const char *kind);

/* True if store_where finds rows without looking at all of them. */
bool store_read_has_index(const struct store_reader *r);

void store_read_close(struct store_reader *r);

#endif
