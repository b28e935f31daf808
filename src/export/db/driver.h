/* SPDX-License-Identifier: MIT */
/*
 * driver.h - the database file that db.c writes. SQLite's library is linked by
 * the module weft-db-sqlite.so alone, which is loaded when such a file is
 * written.
 *
 * Failures are sticky: after the first one calls do nothing, and close returns
 * it.
 */
#ifndef WEFT_EXPORT_DB_DRIVER_H
#define WEFT_EXPORT_DB_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define DB_DRIVER_LAYOUT 1 /* increase it with any change of this header */

struct arena;
struct db_file;

enum db_kind { DB_NULL, DB_INT, DB_TEXT };

struct db_value {
	enum db_kind kind;
	int64_t i;
	const char *text; /* borrowed for the call; any bytes */
};

static inline struct db_value
db_int(int64_t i)
{
	return (struct db_value){ DB_INT, i, NULL };
}

static inline struct db_value
db_null(void)
{
	return (struct db_value){ DB_NULL, 0, NULL };
}

/* NULL becomes the value null. */
static inline struct db_value
db_text(const char *text)
{
	return (struct db_value){ text != NULL ? DB_TEXT : DB_NULL, 0, text };
}

struct db_driver {
	uint32_t layout;
	/* Creates the file, which must not exist, and begins a transaction.
	 * Returns NULL with err. The struct is in the arena. */
	struct db_file *(*open)(
		struct arena *a, const char *path, struct err *err);
	/* Runs statements. */
	void (*run)(struct db_file *f, const char *sql);
	/* Prepares "INSERT INTO t VALUES(?,...)"; returns its number for
	 * put. */
	int (*prepare)(struct db_file *f, const char *sql);
	/* Inserts a row of n values. */
	void (*put)(struct db_file *f, int insert, const struct db_value *row,
		int n);
	/* Inserts `rows` rows of n integers each; DB_NULL_AS stands for null.
	 */
	void (*put_many)(struct db_file *f, int insert, const int64_t *at,
		int rows, int n);
	/* Ends the transaction and closes the file. Returns false with err if
	 * anything failed since open. */
	bool (*close)(struct db_file *f, struct err *err);
	/* Returns how many texts were not UTF-8 and were repaired. */
	uint64_t (*mended)(const struct db_file *f);
};

#define DB_NULL_AS INT64_MIN

/* The symbol that the module exports. */
#define DB_DRIVER_SYMBOL "weft_db_driver"
extern const struct db_driver weft_db_driver
	__attribute__((visibility("default")));

#endif
