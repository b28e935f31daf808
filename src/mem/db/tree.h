/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the tree of a profile: nodes below nodes, made when they are first
 * met.
 */
#ifndef WEFT_MEM_DB_TREE_H
#define WEFT_MEM_DB_TREE_H

#include "mem/db/profile.h"

/* What is charged: an image, to a profile. */
struct charge {
	struct profile *profile;
	struct image *image;
	int event[IMAGE_EVENTS]; /* number of the image: of the profile, or -1
	                          */
};

/* The roots and what hangs below <datacentric> always. */
void tree_roots(struct profile *p);

/* A place that stands for what has none, by its name. */
uint32_t tree_placeholder(struct profile *p, const char *name);

/* The child of a node that has this name; kind without NODE_LEAF. */
uint32_t tree_child(
	struct profile *p, uint32_t parent, uint32_t kind, uint32_t place);

/* Below a node, the frames of a call path of the image: the innermost. */
uint32_t tree_path(struct charge *c, uint32_t parent, uint32_t path);

/* The same, and below it the instruction of the sample; its places go to
 * *places. */
uint32_t tree_code(struct charge *c, uint32_t parent,
	const struct mem_sample *s, struct places *places);

#endif
