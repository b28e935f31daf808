/* SPDX-License-Identifier: MIT */
/*
 * join_tables.h - the rows, types and labels of several shares as one set:
 * which new numbers those of each input have. Only join.c uses it.
 */
#ifndef WEFT_EXPORT_JOIN_TABLES_H
#define WEFT_EXPORT_JOIN_TABLES_H

#include "base/map.h"
#include "base/vec.h"
#include "export/join_input.h"
#include "export/sink.h"

/* A row of the joint line. */
struct join_row {
	int input;
	uint32_t row; /* its number there */
};

/* A type of the joint line, as the first input that has it declares it. */
struct join_type {
	struct type type, own; /* here, and in its input */
	int input;
	bool *inputs;     /* by input: it has the type */
	struct map texts; /* value -> 1 + index in `labels` */
};

struct join_label {
	uint32_t type;
	int64_t value;
	const char *text;
	enum meaning means;
};

/* An input's numbers on the joint line. */
struct join_numbers {
	uint32_t *row, *type; /* by its own number */
	struct map *value; /* by its own type: value -> new value; or empty */
	struct map of_tid; /* tid -> 1 + number of the thread's row */
};

struct join_tables {
	struct arena *arena; /* borrowed */
	const struct join_input *in;
	int n;
	struct join_numbers *of; /* by input */
	VEC(struct join_row) rows;
	VEC(struct join_type) types;
	VEC(struct join_label) labels;
	int renumbered;
};

void join_tables_make(struct join_tables *t, struct arena *a,
	const struct join_input *in, int n);
void join_tables_fini(struct join_tables *t);

/* Declares them to the sink. */
void join_tables_declare(struct join_tables *t, struct sink *to);

/* Returns the new value of an input's type; *type is its own number. */
static inline int64_t
join_tables_value(const struct join_numbers *of, uint32_t type, int64_t value)
{
	const struct map *m = &of->value[type];
	const uint64_t *to;

	if (__builtin_expect(m->slot == NULL && !m->has_zero, 1))
		return value;
	to = map_get(m, (uint64_t)value);
	return to == NULL ? value : (int64_t)*to;
}

#endif
