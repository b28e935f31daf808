/* SPDX-License-Identifier: MIT */
/*
 * names.h - what the numbers of a .prv file mean: the .pcf (palette, types
 * and labels) and the .row (names of rows).
 *
 * Both are written at the end, when all names are known. A name is one line
 * there: line breaks become spaces. Views find types by their titles, so that
 * of two types with one title the second gets its number behind it.
 */
#ifndef WEFT_EXPORT_PRV_NAMES_H
#define WEFT_EXPORT_PRV_NAMES_H

#include <stddef.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/prv/places.h"
#include "export/sink.h"

struct arena;

struct prv_label {
	int64_t value;
	const char *text;
	enum meaning means;
};

struct prv_row_name {
	const char *text;
	uint32_t task;
};

struct prv_type {
	int64_t number;
	const char *key; /* names its view */
	enum type_kind kind;
	const char *title;           /* NULL: no block in the .pcf, no view */
	const char *none;            /* label of value 0, unless it has one */
	bool used;                   /* has a record; known at the end */
	VEC(struct prv_label) label; /* in the order of the calls */
	struct map known;            /* values that have one; owned */
};

struct prv_panel {
	const char *key, *title;
	VEC(uint32_t) type; /* positions */
	bool apart;
};

struct prv_names {
	struct arena *arena; /* borrowed */
	bool original;       /* as the tools that had the format first */
	VEC(struct prv_row_name) row;
	VEC(const char *) task;
	bool has_parents; /* a task is the rows of a parent */
	VEC(struct prv_type) type;
	VEC(struct prv_panel) panel; /* types that one view overlays */
};

/* Adds the name of the next row, of the task, or a task; and a type. Strings
 * are copied. */
void prv_names_add_row(struct prv_names *n, const char *name, uint32_t task);
void prv_names_add_task(struct prv_names *n, const char *name);

/* The row of that position has another name. */
void prv_names_rename(struct prv_names *n, uint32_t row, const char *name);

void prv_names_add_type(struct prv_names *n, const struct type *type);

/* Type: its position. The first label of a value stays. True if it is new. */
bool prv_names_add_label(
	struct prv_names *n, uint32_t type, const struct prv_label *label);

/* Adds a panel without types; the caller adds their positions. */
struct prv_panel *prv_names_add_panel(
	struct prv_names *n, const char *key, const char *title);

bool prv_names_write_pcf(
	const struct prv_names *n, const char *path, struct err *err);
/* places: NULL or without nodes: one node, "hostname", as the tools of ovni
 * write. */
bool prv_names_write_row(const struct prv_names *n, const char *path,
	const struct prv_places *places, struct err *err);

void prv_names_fini(struct prv_names *n);

#endif
