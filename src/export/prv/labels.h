/* SPDX-License-Identifier: MIT */
/*
 * labels.h - names for the numbers of a .prv file: the .pcf (palette, types and
 * labels) and the .row (names of rows).
 *
 * Both are written at the end, when all names are known. A name fills one line
 * there: line breaks become spaces. Views find types by their titles; if two
 * types have the same title, the number is appended to the second.
 */
#ifndef WEFT_EXPORT_PRV_LABELS_H
#define WEFT_EXPORT_PRV_LABELS_H

#include <stddef.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/prv/machine.h"
#include "export/prv/states.h"
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
	const char *key; /* the type's view is named after its key */
	enum type_kind kind;
	bool before;       /* as in struct type */
	const char *title; /* NULL: no block in the .pcf, no view */
	const char *none;  /* label of value 0, if no other label
	                    * is given */
	enum prv_special special;
	bool used;                   /* has a record; known at the end */
	VEC(struct prv_label) label; /* in the order of the calls */
	struct map known;            /* values that have a label; owned */
};

struct prv_panel {
	const char *key, *title;
	VEC(uint32_t) type; /* indexes in prv_names.type */
	bool apart;
};

struct prv_names {
	struct arena *arena; /* borrowed */
	bool original;       /* write the files as the original tools do */
	VEC(struct prv_row_name) row;
	VEC(const char *) task;
	bool has_parents; /* a task stands for a parent row */
	VEC(struct prv_type) type;
	VEC(struct prv_panel) panel; /* types that a view shows together */
};

/* Add the name of the next row, and its task; or the next task. Strings are
 * copied. */
void prv_names_add_row(struct prv_names *n, const char *name, uint32_t task);
void prv_names_add_task(struct prv_names *n, const char *name);

/* Renames a row. */
void prv_names_rename(struct prv_names *n, uint32_t row, const char *name);

void prv_names_add_type(struct prv_names *n, const struct type *type);

/* Adds a label of a type (by index). The first label of a value stays. Returns
 * true if the value had none. */
bool prv_names_add_label(
	struct prv_names *n, uint32_t type, const struct prv_label *label);

/* Adds a panel without types; the caller adds their indexes. */
struct prv_panel *prv_names_add_panel(
	struct prv_names *n, const char *key, const char *title);

bool prv_names_write_pcf(
	const struct prv_names *n, const char *path, struct err *err);
/* Writes the .row. Without places, or without nodes in them, writes one node,
 * "hostname", as the tools of ovni do. */
bool prv_names_write_row(const struct prv_names *n, const char *path,
	const struct prv_machine *places, struct err *err);

void prv_names_fini(struct prv_names *n);

#endif
