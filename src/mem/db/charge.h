/* SPDX-License-Identifier: MIT */
/*
 * charge.h - charges the samples of an image to variables and code of a
 * profile.
 */
#ifndef WEFT_MEM_DB_CHARGE_H
#define WEFT_MEM_DB_CHARGE_H

#include "mem/db/tree.h"

/* Charges a sample; a callback of image_samples(). arg is a struct charge. */
void charge_sample(void *arg, const struct mem_sample *s, int32_t tid);

/* Adds all allocation sites of the image, whether sampled or not. */
void charge_sites(struct charge *c);

static inline void
cost_add(struct cost *to, const struct cost *c)
{
	to->samples += c->samples;
	to->periods += c->periods;
	to->weights += c->weights;
}

#endif
