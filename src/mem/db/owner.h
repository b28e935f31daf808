/* SPDX-License-Identifier: MIT */
/*
 * owner.h - finds the variable of a sample's address.
 *
 * The recorder has named the block, module, stack or mapping. This module turns
 * the name into a row of the profile, which it makes on first use. There always
 * is a row: unknown addresses have rows, too.
 */
#ifndef WEFT_MEM_DB_OWNER_H
#define WEFT_MEM_DB_OWNER_H

#include "mem/db/tree.h"

struct owner {
	uint32_t variable; /* index */
	uint32_t node; /* below <datacentric>; a variable has a node for each
	                * call path */
};

struct owner owner_of(struct charge *c, const struct mem_sample *s);

enum { OWNER_CHAIN = 64 }; /* at most so many callers distinguish blocks */

/* What tells a variable from others. */
struct owner_name {
	enum variable_kind kind;
	const char *name;
	uint32_t location;
	const uint32_t *chain;
	int nchain;
};

/* Returns the index of a variable, which is added if it is new. */
uint32_t owner_variable(struct profile *p, const struct owner_name *name);

/* Lists the statement that wanted a block, whose allocation has this node, the
 * call of its function, and so on up to main() or the last known frame;
 * repeated calls are left out. Returns how many. */
int owner_chain(
	const struct profile *p, uint32_t node, uint32_t list[OWNER_CHAIN]);

/* Returns the variable of the unnamed blocks of a kind that a call path
 * allocated. */
struct owner owner_of_path(struct charge *c, uint32_t path, uint32_t kind);

#endif
