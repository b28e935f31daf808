/* SPDX-License-Identifier: MIT */
/*
 * writer.h - the state of a store that is written.
 *
 * writer.c fills batches. deliver.c writes them to the database, or to the
 * spool file once the database cannot be reached any more.
 */
#ifndef WEFT_STORE_WRITER_H
#define WEFT_STORE_WRITER_H

#include "base/arena.h"
#include "base/vec.h"
#include "store/driver.h"
#include "store/load.h"
#include "store/owner.h"
#include "store/store.h"
#include "store/texts.h"

struct open_table {
	const struct store_table *def; /* borrowed */
	struct store_value *row;       /* the collected rows; owned */
	uint32_t n, room;
	bool texts; /* the names in the collected rows have been replaced by
	             * texts */
	char *text; /* the texts of the collected rows; owned */
	size_t used, text_room;
	uint64_t rows; /* rows delivered or lost */
	bool refused;  /* the declaration was refused: rows are lost */
};

struct store {
	struct arena arena;
	struct store_address address;
	struct store_options options;
	struct store_setup setup;
	struct owner owner;       /* lock of a file or directory */
	struct store_back *back;  /* NULL: the database was given up */
	struct store_back *spool; /* NULL: not needed, or failed */
	struct names names;
	uint32_t names_written;
	uint64_t schema_rows;      /* rows written to weft_schema */
	struct store_tables there; /* the tables that the store had before */
	VEC(struct open_table) tables;
	struct store_report report;
};

/* Writes the collected rows of a table, after the names that they use. */
void store_deliver(struct store *s, struct open_table *t);

/* Writes the columns of a new table to weft_schema. */
void store_deliver_table(struct store *s, const struct open_table *t);

/* Keeps the first failure for the report. */
void store_trouble(struct store *s, const struct err *err);

#endif
