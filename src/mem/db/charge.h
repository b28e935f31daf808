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

/* Adds the cost of a pair, which is that of one event, to the pairs. */
void charge_pair(struct profile *p, struct pairs *pairs,
	const struct pair *pair, uint32_t event);

/* Adds a part of a variable's cost that is a guess, to its list by event, which
 * is NULL until then. */
void charge_guess(struct profile *p, struct cost **list, uint32_t event,
	const struct cost *c);

/* Makes room for the metrics of a variable. */
void charge_metrics(struct profile *p, struct variable_row *v);

/* Adds names, with ", " between them, that the program gave to blocks of a
 * variable. Of many, the first ones in the order of the alphabet are kept, so
 * that the order of calls does not matter. */
void charge_given(struct profile *p, struct variable_row *v, const char *names);

#endif
