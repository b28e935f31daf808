/* SPDX-License-Identifier: MIT */
/*
 * owner_frame.h - finds the local variable of a sample on a stack.
 */
#ifndef WEFT_MEM_DB_OWNER_FRAME_H
#define WEFT_MEM_DB_OWNER_FRAME_H

#include "mem/db/tree.h"
#include "mem/structure/locals.h"

/* What a position in a frame belongs to. */
struct frame_owner {
	enum variable_kind kind;   /* VARIABLE_STACK: nothing is known of the
	                            * function */
	const struct local *local; /* of VARIABLE_LOCAL and VARIABLE_ARGUMENT */
	const char *function;      /* whose frame it is */
	int file; /* index in the profile's symbols; -1: no module */
};

/* Finds the owner of a sample in a stack, from its image's frame record. */
struct frame_owner owner_in_frame(struct charge *c, const struct mem_sample *s);

#endif
