/* SPDX-License-Identifier: MIT */
/*
 * owner.h - the variable that a sample's address belongs to.
 *
 * The recorder has said which block, module, stack or mapping it was; here that
 * becomes a row of the profile, which is made when it is first met. There is
 * always one: what belongs to nothing is a row, too.
 */
#ifndef WEFT_MEM_DB_OWNER_H
#define WEFT_MEM_DB_OWNER_H

#include "mem/db/tree.h"

struct owner {
	uint32_t variable; /* index */
	uint32_t node; /* below <datacentric>: of several, one a call path */
};

struct owner owner_of(struct charge *c, const struct mem_sample *s);

/* The variable that blocks of a kind are, of a path, without their names. */
struct owner owner_of_path(struct charge *c, uint32_t path, uint32_t kind);

#endif
