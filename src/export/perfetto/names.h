/* SPDX-License-Identifier: MIT */
/*
 * names.h - the names of the values of a type, and events that carry them.
 */
#ifndef WEFT_EXPORT_PERFETTO_NAMES_H
#define WEFT_EXPORT_PERFETTO_NAMES_H

#include "base/bug.h"
#include "base/map.h"
#include "base/vec.h"
#include "export/perfetto/wire.h"

#define PERFETTO_SMALL 64 /* values whose names are found without the map */

/* The name of an event. */
struct perfetto_name {
	struct perfetto_field field; /* its number; none: not interned */
	const char *label;           /* NULL: the name is the value */
};

struct perfetto_names {
	struct arena *arena;         /* borrowed */
	struct perfetto_name *small; /* names of values below PERFETTO_SMALL */
	struct map index;            /* value -> index + 1; owned */
	VEC(struct perfetto_name) large;
};

void perfetto_names_init(struct perfetto_names *n, struct arena *a);
void perfetto_names_fini(struct perfetto_names *n);

/* Gives a value a label; the first label of a value counts. A number that the
 * value's digits got is given up. */
void perfetto_names_label(
	struct perfetto_names *n, int64_t value, const char *text);

/* Returns the name of a value, or NULL. */
static inline struct perfetto_name *
perfetto_names_find(struct perfetto_names *n, int64_t value)
{
	const uint64_t *index;

	if ((uint64_t)value < PERFETTO_SMALL)
		return &n->small[value];
	index = map_get(&n->index, (uint64_t)value);
	if (index == NULL)
		return NULL;
	BUG_ON(n->large.at == NULL);
	return &n->large.at[*index - 1];
}

/* Writes an event whose name has no number yet, or gets none. */
void perfetto_named_first(struct perfetto_wire *w, enum perfetto_event type,
	uint64_t time, const struct perfetto_head *head,
	struct perfetto_names *n, int64_t value);

/* Writes an event with the name of a value. */
static inline void
perfetto_named(struct perfetto_wire *w, enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, struct perfetto_names *n,
	int64_t value)
{
	const struct perfetto_name *name = perfetto_names_find(n, value);

	if (__builtin_expect(name != NULL && name->field.length > 0, 1))
		perfetto_slice(w, type, time, head, name->field);
	else
		perfetto_named_first(w, type, time, head, n, value);
}

#endif
