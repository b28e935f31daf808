/* SPDX-License-Identifier: MIT */
/*
 * driver.h - the interface of one kind of store, for writer.c and read.c.
 *
 * A driver writes batches, each as a whole or not at all, and walks tables in
 * the order of writing. A driver knows nothing of retries, spool files,
 * interning and the meaning of tables: even the description of tables is stored
 * in tables (catalog.h). A driver allocates from the arena of the setup. It may
 * keep pointers to the setup, the store address and the tables, which live as
 * long as the driver's struct.
 *
 * A driver that needs a client library is a module: a file "weft-store-NAME.so"
 * that exports weft_store_driver and is loaded when a store of its kind is
 * opened.
 */
#ifndef WEFT_STORE_DRIVER_H
#define WEFT_STORE_DRIVER_H

#include "store/address.h"
#include "store/row.h"

#define STORE_DRIVER_LAYOUT 1 /* increase it with any change of this header */

struct store_driver;

enum store_mode {
	STORE_READ,
	STORE_WRITE, /* opens a store that exists, else creates one */
};

struct store_setup {
	struct arena *arena;
	const struct store_address *address;
	enum store_mode mode;
	int64_t timeout_ms; /* limit of one request, also of connecting */
};

/* The first member of every driver's own struct. */
struct store_back {
	const struct store_driver *driver;
};

struct store_batch {
	const struct store_table *table;
	const struct store_value *row; /* n rows of table->n values */
	uint32_t n;                    /* >= 1 */
	uint64_t first;                /* number of the first row; rows are
	                                * numbered from 1 */
	bool again; /* the batch may have been stored: the answer of the server
	             * was lost */
};

enum store_result {
	STORE_DONE,
	STORE_AWAY,    /* retry after reconnect() */
	STORE_REFUSED, /* a retry would not help */
};

struct store_driver {
	uint32_t layout;
	const char *name;
	const char *what; /* for `weft version`: the client library and its
	                   * version */
	/* Names are given and returned as texts, and conditions are ignored:
	 * the caller checks rows. */
	bool texts;

	/* Opens a store. Something that exists and is not a weft store is an
	 * error. */
	struct store_back *(*open)(
		const struct store_setup *setup, struct err *err);
	/* Returns true if the store existed before: it has the tables that
	 * describe it. If that is unknown, returns false and sets *err. */
	bool (*is_there)(struct store_back *b, struct err *err);
	/* Removes tables and their rows. */
	bool (*clear)(struct store_back *b,
		const struct store_table *const *table, uint32_t n,
		struct err *err);
	/* Prepares a table for writing. there: the table exists, and *rows
	 * receives the number of its rows. */
	bool (*table)(struct store_back *b, const struct store_table *t,
		bool there, uint64_t *rows, struct err *err);
	enum store_result (*write)(struct store_back *b,
		const struct store_batch *batch, struct err *err);
	/* Reconnects after STORE_AWAY. */
	bool (*reconnect)(struct store_back *b, struct err *err);
	/* Builds the indexes of a table; may be NULL. */
	bool (*index)(struct store_back *b, const struct store_table *t,
		struct err *err);
	/* Begins a walk; the previous one was stopped. */
	bool (*start)(struct store_back *b, const struct store_table *t,
		const struct store_where *where, struct err *err);
	/* Reads the next row. Returns false at the end, or on failure with err
	 * set. The caller checks which values may be null. */
	bool (*next)(
		struct store_back *b, struct store_value *row, struct err *err);
	/* Stops a walk at any row. */
	void (*stop)(struct store_back *b);
	void (*close)(struct store_back *b);
};

/* The symbol that a module exports. */
#define STORE_DRIVER_SYMBOL "weft_store_driver"
extern const struct store_driver weft_store_driver
	__attribute__((visibility("default")));

/* Registers a driver from a higher layer; may be called again. */
void store_driver_add(const struct store_driver *driver);

/* Returns the driver of a kind after loading it if necessary. Returns NULL and
 * sets err on failure. */
const struct store_driver *store_driver_find(const char *kind, struct err *err);

/* The kinds that need a client library, and the package that has it; an empty
 * row ends the list. */
extern const struct store_client {
	const char *kind;
	const char *package; /* what a build needs */
	const char *library; /* the package that its module needs */
} store_clients[];

/* The kinds of this build; NULL ends the list. */
extern const char *const store_kinds[];

#endif
