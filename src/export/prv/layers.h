/* SPDX-License-Identifier: MIT */
/*
 * layers.h - the order in which values of layered types are written.
 *
 * The old views of such types (`layered` in struct type) show several types at
 * once with Paraver's function "Stacked Val": a value pushes, a 0 pops. To keep
 * Paraver's stack right after every record,
 *
 *	- a 0 is written only if the type of that row shows a value;
 *	- a change from a to b is written as 0, then b;
 *	- at one time all zeros come first, by falling number of the type, and
 *	  then the values, by rising number.
 *
 * Records of one time are held back until the time advances.
 */
#ifndef WEFT_EXPORT_PRV_LAYERS_H
#define WEFT_EXPORT_PRV_LAYERS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct prv_layer {
	uint32_t row, type; /* ids */
	int64_t number;     /* number of the type */
	int64_t value;      /* 0: nothing */
	int order;          /* order of the calls, for sorting */
};

struct prv_layers {
	int64_t time; /* time of the held records */
	VEC(struct prv_layer) held;
	VEC(struct prv_layer) out; /* in the order in which to write them */
	struct map shown;          /* (row, type) -> value; owned */
};

/* Holds a record back. All held records must have the same time. */
void prv_layers_hold(struct prv_layers *l, struct arena *a, int64_t time,
	const struct prv_layer *r);

/* Moves the held records to l->out in the order in which to write them. */
void prv_layers_sort(struct prv_layers *l, struct arena *a);

void prv_layers_fini(struct prv_layers *l);

#endif
