/* SPDX-License-Identifier: MIT */
/*
 * charge.h - puts the samples of an image into a profile: who pays for each.
 */
#ifndef WEFT_MEM_DB_CHARGE_H
#define WEFT_MEM_DB_CHARGE_H

#include "mem/db/profile.h"

struct charge {
	struct profile *profile;
	struct image *image;
	int event[IMAGE_EVENTS]; /* number of the image: of the profile, or -1
	                          */
};

/* The roots and what hangs below <datacentric> always. */
void charge_roots(struct profile *p);

/* For image_samples(); arg is a struct charge. */
void charge_sample(void *arg, const struct mem_sample *s, int32_t tid);

/* All allocation sites of the image, sampled or not. */
void charge_sites(struct charge *c);

/* The child of a node that has this name; kind without NODE_LEAF. */
uint32_t charge_child(
	struct profile *p, uint32_t parent, uint32_t kind, uint32_t place);

/* Below a node, the frames of a call path of the image: the innermost. */
uint32_t charge_path(struct charge *c, uint32_t parent, uint32_t path);

static inline void
cost_add(struct cost *to, const struct cost *c)
{
	to->samples += c->samples;
	to->periods += c->periods;
	to->weights += c->weights;
}

#endif
