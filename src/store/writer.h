/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the inside of a store that is written.
 *
 * writer.c fills batches, deliver.c brings them to the database, or to the
 * spool file once that has gone away for good.
 */
#ifndef WEFT_STORE_WRITER_H
#define WEFT_STORE_WRITER_H

#include "base/arena.h"
#include "base/vec.h"
#include "store/driver.h"
#include "store/load.h"
#include "store/names.h"
#include "store/owner.h"
#include "store/store.h"

struct open_table {
	const struct store_table *def; /* borrowed */
	struct store_value *row;       /* those that wait; owned */
	uint32_t n, room;
	bool texts; /* their names have been made texts */
	char *text; /* of the rows that wait; owned */
	size_t used, text_room;
	uint64_t rows; /* that were delivered, or lost */
	bool refused;  /* rows are lost */
};

struct store {
	struct arena arena;
	struct store_place place;
	struct store_options options;
	struct store_setup setup;
	struct owner owner;       /* of a file or folder */
	struct store_back *back;  /* NULL: it has gone away for good */
	struct store_back *spool; /* NULL: none, or it failed */
	bool spool_begun;
	struct names names;
	uint32_t names_written;
	uint64_t schema_rows;      /* of weft_schema */
	struct store_tables there; /* tables of a store that is appended to */
	VEC(struct open_table) tables;
	struct store_report report;
};

/* Writes the rows of a table that wait, and the names that they may use. */
void store_deliver(struct store *s, struct open_table *t);

/* Makes a new table known: its columns become rows of weft_schema. */
void store_deliver_table(struct store *s, const struct open_table *t);

/* Keeps the first trouble. */
void store_trouble(struct store *s, const struct err *err);

#endif
