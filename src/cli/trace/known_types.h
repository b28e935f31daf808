/* SPDX-License-Identifier: MIT */
/*
 * known_types.h - what the models know of the types in a file of records: a
 * .prv file has only their numbers, titles and labels.
 */
#ifndef WEFT_CLI_TRACE_KNOWN_TYPES_H
#define WEFT_CLI_TRACE_KNOWN_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "export/meaning.h"

struct arena;
struct model;
struct type;

/* Finds the type of a model, or of every emulation, that has the number and
 * title of *type in rows of its class, and sets the key, the kind, the unit and
 * the meaning of "none". Stores the model, or NULL. Returns true if 0 is a
 * value like any other. */
bool known_type(struct arena *a, const struct model *const *all,
	struct type *type, const struct model **model);

/* Returns the meaning of a label of a type that known_type() found in the
 * model. */
enum meaning known_label(const struct model *model, const struct type *type,
	int64_t value, const char *text);

#endif
