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
	int32_t tid;             /* thread of the last sample, if thread > 0 */
	uint32_t thread;         /* its index in the profile + 1 */
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

/* Returns the node's own costs, by event. */
struct cost *tree_cost(struct profile *p, uint32_t node);

/* Fills in the inclusive costs of all nodes, when all samples are charged. */
void tree_add_up(struct profile *p);

/* Adds the frames of a call path of the image below a node. Returns the
 * innermost frame's node. */
uint32_t tree_path(struct charge *c, uint32_t parent, uint32_t path);

/* Returns a number for a call path of the image, which paths with the same
 * frames have in all images; 0 for path 0. */
uint32_t tree_number(struct charge *c, uint32_t path);

/* The code of a sample, looked up once. */
struct tree_sample {
	uint32_t path, number;           /* in the image; of all images */
	struct code_locations locations; /* of the instruction */
};
struct tree_sample tree_sample(struct charge *c, const struct mem_sample *s);

/* Returns the child "<memory access>" of a node. */
uint32_t tree_access(struct profile *p, uint32_t node);

/* Adds the call path and the instruction of a sample below a node. Returns the
 * instruction's node. */
uint32_t tree_code(
	struct charge *c, uint32_t parent, const struct tree_sample *s);

#endif
