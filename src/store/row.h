/* SPDX-License-Identifier: MIT */
/*
 * row.h - the tables and rows of every store: the types of columns, the
 * declaration of a table, and the values of a row, one for each column.
 */
#ifndef WEFT_STORE_ROW_H
#define WEFT_STORE_ROW_H

#include <stdbool.h>
#include <stdint.h>

enum store_type {
	STORE_INT,  /* int64_t */
	STORE_UINT, /* uint64_t; SQLite and MongoDB store it as int64_t */
	STORE_REAL, /* double; inf and NaN become null, -0 becomes 0 */
	STORE_TEXT, /* UTF-8, may contain NULs; cut at 2^30 bytes */
	STORE_NAME, /* number of an interned text */
	STORE_FLAG, /* bool */
};

#define STORE_COLUMNS_MAX 64

/* Names of columns and tables match [a-z][a-z0-9_]* and have at most 48 bytes.
 * Names that begin with "weft_", and "table" as the name of a column, are
 * reserved. */
struct store_column {
	const char *name;
	enum store_type type;
	bool nullable; /* may be null; columns of STORE_REAL always may be */
	bool index;    /* build an index when the store is closed */
};

struct store_table {
	const char *name;
	const struct store_column *column;
	uint32_t n;
};

struct store_value {
	union {
		int64_t i;
		uint64_t u;
		double real;
		const char *text; /* borrowed; has `size` bytes */
		uint32_t name;
		bool flag;
	};
	uint32_t size;
	bool null;
};

static inline struct store_value
store_null(void)
{
	return (struct store_value){ .null = true };
}

static inline struct store_value
store_int(int64_t i)
{
	return (struct store_value){ .i = i };
}

static inline struct store_value
store_uint(uint64_t u)
{
	return (struct store_value){ .u = u };
}

static inline struct store_value
store_real(double real)
{
	return (struct store_value){ .real = real };
}

static inline struct store_value
store_text(const char *text, uint32_t size)
{
	return (struct store_value){ .text = text, .size = size };
}

static inline struct store_value
store_name(uint32_t name)
{
	return (struct store_value){ .u = name };
}

static inline struct store_value
store_flag(bool flag)
{
	return (struct store_value){ .u = flag };
}

/* A condition of a walk: only rows whose column equals the value. */
struct store_where {
	const char *column;
	struct store_value value; /* has the column's type and is not null; a
	                           * name has its number in this reader */
};

#endif
