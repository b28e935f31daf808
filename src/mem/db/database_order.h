/* SPDX-License-Identifier: MIT */
/*
 * database_order.h - numbers the code locations, variables and nodes of a
 * profile in an order that depends on nothing but what they are.
 *
 *	struct database_order o;
 *	database_order(&o, &arena, profile);
 *	for (uint32_t i = 0; i < o.variable.n; i++)
 *		use(&profile->variable.at[o.variable.old[i]]);
 */
#ifndef WEFT_MEM_DB_DATABASE_ORDER_H
#define WEFT_MEM_DB_DATABASE_ORDER_H

#include "mem/db/profile.h"

struct database_numbers {
	uint32_t n;
	uint32_t *old; /* by number, from 0: the index in the profile */
	uint32_t *new; /* by index in the profile: the number. UINT32_MAX: not
	                * used */
};

struct database_order {
	struct database_numbers location, variable, node;
};

/* Nodes are numbered from 1, parents before children; 0 stands for none. */
void database_order(
	struct database_order *o, struct arena *a, const struct profile *p);

#endif
