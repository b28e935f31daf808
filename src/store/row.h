/* SPDX-License-Identifier: MIT */
/*
 * row.h - tables and rows as every store has them: the types of columns, the
 * declaration of a table, and the values of a row, one a column.
 */
#ifndef WEFT_STORE_ROW_H
#define WEFT_STORE_ROW_H

#include <stdbool.h>
#include <stdint.h>

enum store_type {
	STORE_INT,  /* int64_t */
	STORE_UINT, /* uint64_t; SQLite and MongoDB keep its bits as signed */
	STORE_REAL, /* double; what is not finite becomes null, -0 becomes 0 */
	STORE_TEXT, /* UTF-8, NULs too; cut at 2^30 bytes */
	STORE_NAME, /* number of an interned text */
	STORE_FLAG, /* bool */
};

#define STORE_COLUMNS_MAX 64

/* Names of columns and tables: [a-z][a-z0-9_]*, at most 48 bytes; those that
 * begin with "weft_", and the column "table", are taken. */
struct store_column {
	const char *name;
	enum store_type type;
	bool nullable; /* a real column always is */
	bool index;    /* wants an index, which is built at close */
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
		const char *text; /* borrowed; of `size` bytes */
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

/* The rows that a walk gives: those whose column equals the value. */
struct store_where {
	const char *column;
	struct store_value value; /* of the column's type; a name's number is
	                           * that of this reader; not null */
};

#endif
