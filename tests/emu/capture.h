/* SPDX-License-Identifier: MIT */
/*
 * capture.h - a sink that keeps everything, for tests.
 *
 *	struct capture c;
 *	emu_open(&arena, source, capture_init(&c, &arena), &options);
 *	...
 *	for (int i = 0; i < c.records.n; i++)
 *		use(&c.records.at[i]);
 */
#ifndef WEFT_TEST_CAPTURE_H
#define WEFT_TEST_CAPTURE_H

#include "base/vec.h"
#include "export/sink.h"

struct capture_label {
	uint32_t type;
	int64_t value;
	const char *text;
};

struct capture {
	struct sink sink; /* first */
	struct arena *arena;
	VEC(struct row) rows; /* by id, as are types */
	VEC(struct type) types;
	VEC(struct capture_label) labels;
	VEC(struct record) records; /* without their stacks */
	VEC(struct link) links;
	const char *broken; /* a rule of sink.h that a caller broke, or NULL */
	int64_t now;        /* time of the last record or advance */
};

/* Returns an empty capture in the arena, as the sink to write to. */
struct sink *capture_init(struct capture *c, struct arena *a);

/* Returns the id of the row of that class and name (leading blanks do not
 * count). */
uint32_t capture_row(
	const struct capture *c, const char *class, const char *name);

/* Returns the id of the type, or ROW_NONE. */
uint32_t capture_type(
	const struct capture *c, const char *class, const char *key);

/* Returns the label of a value, or NULL. */
const char *capture_label(
	const struct capture *c, uint32_t type, int64_t value);

#endif
