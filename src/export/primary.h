/* SPDX-License-Identifier: MIT */
/*
 * primary.h - the primary type of a class: what formats that show one line for
 * a row show of it. It is the first type with stacks, else the first type of
 * states other than a "*.state" type, which only tells whether a thread runs.
 */
#ifndef WEFT_EXPORT_PRIMARY_H
#define WEFT_EXPORT_PRIMARY_H

#include <string.h>

#include "export/sink.h"

/* The candidates: 1 + a number that the caller gives types; 0: none. */
struct primary {
	uint32_t stacked, state;
};

/* Considers a type; types come in the order of their ids. */
static inline void
primary_add(struct primary *p, const struct type *type, uint32_t number)
{
	static const char end[] = ".state";
	size_t n = strlen(type->key), m = sizeof end - 1;

	if (type->stack && p->stacked == 0)
		p->stacked = number + 1;
	if (type->kind == TYPE_STATE && p->state == 0 &&
		(n < m || strcmp(type->key + n - m, end) != 0))
		p->state = number + 1;
}

/* Returns true if there is a primary type, and its number. */
static inline bool
primary_type(const struct primary *p, uint32_t *number)
{
	*number = (p->stacked != 0 ? p->stacked : p->state) - 1;
	return p->stacked != 0 || p->state != 0;
}

#endif
