/* SPDX-License-Identifier: MIT */
/*
 * driver.h - one kind of store, seen from writer.c and read.c.
 *
 * A driver writes batches, whole or not at all, and walks over tables in the
 * order of writing. It knows nothing of retries, spool files, interning or
 * what the tables are for: what describes them lies in tables, too (meta.h).
 * Its memory comes from the arena of the setup; it may keep the setup, its
 * place and the tables that it was told of, which live as long as it does.
 *
 * Drivers that need a client library are modules, files named
 * "weft-store-NAME.so" that export weft_store_driver and are loaded when a
 * place of their kind is opened.
 */
#ifndef WEFT_STORE_DRIVER_H
#define WEFT_STORE_DRIVER_H

#include "store/place.h"
#include "store/row.h"

#define STORE_DRIVER_LAYOUT 1 /* changes with anything in this header */

struct store_driver;

enum store_mode {
	STORE_READ,
	STORE_WRITE, /* a store that is there is opened; else one is made */
};

struct store_setup {
	struct arena *arena;
	const struct store_place *place;
	enum store_mode mode;
	int64_t timeout_ms; /* of one request, also of connecting */
};

/* The begin of every driver's own struct. */
struct store_back {
	const struct store_driver *driver;
};

struct store_batch {
	const struct store_table *table;
	const struct store_value *row; /* n rows of table->n values */
	uint32_t n;                    /* >= 1 */
	uint64_t first;                /* number of the first row, from 1 */
	bool again; /* it may be there already, as its answer was lost */
};

enum store_result {
	STORE_DONE,
	STORE_AWAY,    /* try again after reconnect() */
	STORE_REFUSED, /* trying again would not help */
};

struct store_driver {
	uint32_t layout;
	const char *name;
	const char *what; /* for `weft version`: the library and its version */
	/* Names are given and taken as texts, where= is not looked at. */
	bool texts;

	/* Opens a place. What is there and no store of ours is an error. */
	struct store_back *(*open)(
		const struct store_setup *setup, struct err *err);
	/* True if something was stored there before: it has the tables that
	 * describe it. Otherwise *err may say why that is not known. */
	bool (*is_there)(struct store_back *b, struct err *err);
	/* Removes tables and what is in them. */
	bool (*clear)(struct store_back *b,
		const struct store_table *const *table, uint32_t n,
		struct err *err);
	/* Makes a table ready for writing; `there`: it exists already, and
	 * *rows gets the number of its rows. */
	bool (*table)(struct store_back *b, const struct store_table *t,
		bool there, uint64_t *rows, struct err *err);
	enum store_result (*write)(struct store_back *b,
		const struct store_batch *batch, struct err *err);
	/* After STORE_AWAY. */
	bool (*reconnect)(struct store_back *b, struct err *err);
	/* Builds the indexes of a table. May be NULL. */
	bool (*index)(struct store_back *b, const struct store_table *t,
		struct err *err);
	/* Begins a walk; the one before was ended. */
	bool (*start)(struct store_back *b, const struct store_table *t,
		const struct store_where *where, struct err *err);
	/* The next row; false at the end, or with err. Whether nulls may be
	 * where they are is looked at above. */
	bool (*next)(
		struct store_back *b, struct store_value *row, struct err *err);
	/* Ends a walk, wherever it is. */
	void (*stop)(struct store_back *b);
	void (*close)(struct store_back *b);
};

/* What a module exports. */
#define STORE_DRIVER_SYMBOL "weft_store_driver"
extern const struct store_driver weft_store_driver
	__attribute__((visibility("default")));

/* Makes a driver known that lies above; once, or again. */
void store_driver_add(const struct store_driver *driver);

/* The driver of a kind, loaded if need be. NULL with err. */
const struct store_driver *store_driver_find(const char *kind, struct err *err);

/* The kinds that need a client library, and the package to build them with; an
 * empty row ends. */
extern const struct store_client {
	const char *kind, *package;
} store_clients[];

/* The kinds of this build, with a NULL behind the last. */
extern const char *const store_kinds[];

#endif
