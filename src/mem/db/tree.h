/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the tree of a profile; nodes are made on first use.
 */
#ifndef WEFT_MEM_DB_TREE_H
#define WEFT_MEM_DB_TREE_H

#include "mem/db/profile.h"

/* The image that is being charged to a profile. */
struct charge {
	struct profile *profile;
	struct image *image;
	int event[IMAGE_EVENTS]; /* for each event number of the image, the
	                          * event of the profile, or -1 */
};

/* Makes the roots and the fixed children of <datacentric>. */
void tree_roots(struct profile *p);

/* Returns the location number of a placeholder with this name. */
uint32_t tree_placeholder(struct profile *p, const char *name);

/* Does the same as tree_child() for a node of any final kind, which was read
 * from a database. */
uint32_t tree_again(
	struct profile *p, uint32_t parent, uint32_t kind, uint32_t location);

/* Returns the child of a node with that name. kind must not have NODE_LEAF. */
uint32_t tree_child(
	struct profile *p, uint32_t parent, uint32_t kind, uint32_t location);

/* Adds the frames of a call path of the image below a node. Returns the
 * innermost frame's node. */
uint32_t tree_path(struct charge *c, uint32_t parent, uint32_t path);

/* Adds the call path and the instruction of the sample below a node. *locations
 * receives the locations of the instruction. */
uint32_t tree_code(struct charge *c, uint32_t parent,
	const struct mem_sample *s, struct code_locations *locations);

#endif
