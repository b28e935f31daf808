/* SPDX-License-Identifier: MIT */
/*
 * colors.h - the colour of each labelled value of a type in views.
 *
 * Colours follow from the meaning of labels (export/palette.h). Where all
 * states of a type have the same meaning (types of tasks, CPUs), colours only
 * tell them apart. In compatibility mode the colours are those of the original
 * views.
 */
#ifndef WEFT_EXPORT_PRV_COLORS_H
#define WEFT_EXPORT_PRV_COLORS_H

#include "base/vec.h"
#include "export/palette.h"
#include "export/prv/labels.h"

struct prv_color {
	int64_t value;
	struct rgb rgb;
};

/* The colours of one view; Paraver itself chooses the colours of further
 * values. */
#define PRV_COLORS_MAX 1000

struct prv_colors {
	VEC(struct prv_color) at;
	struct map known; /* values that have a colour */
};

/* Adds the colours of a type's labelled values, except for 0, which is always
 * background, and for values that already have a colour. */
void prv_colors_add(struct prv_colors *to, const struct prv_names *n,
	const struct prv_type *t);

void prv_colors_fini(struct prv_colors *c);

/* Returns true if some value has a label that is neither an error nor lost
 * events. */
bool prv_type_is_labelled(const struct prv_type *t);

#endif
