/* SPDX-License-Identifier: MIT */
/*
 * layers.h - the order in which values of layered types are written.
 *
 * Old views of such types (struct type, layered) show several of them at once
 * by Paraver's function "Stacked Val": a value is pushed, a 0 pops. So that
 * the stack is right after every record,
 *
 *   - a 0 is written only if the type of that row shows something;
 *   - a change from a to b is a 0, then b;
 *   - at one time zeros come first, the type with the largest number first of
 *     all; then the values, that type last.
 *
 * Records of one time are held back until the time goes on.
 */
#ifndef WEFT_EXPORT_PRV_LAYERS_H
#define WEFT_EXPORT_PRV_LAYERS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct prv_layer {
	uint32_t row, type; /* ids */
	int64_t number;     /* of the type */
	int64_t value;      /* 0: nothing */
	int order;          /* while they are sorted */
};

struct prv_layers {
	int64_t time; /* of those that are held */
	VEC(struct prv_layer) held;
	VEC(struct prv_layer) out; /* in the order to be written */
	struct map shown;          /* row and type: value; owned */
};

/* Holds a record of the time back; others of that time only are held. */
void prv_layers_hold(struct prv_layers *l, struct arena *a, int64_t time,
	const struct prv_layer *r);

/* Puts into l->out what is to be written of those held, and holds none. */
void prv_layers_sort(struct prv_layers *l, struct arena *a);

void prv_layers_fini(struct prv_layers *l);

#endif
