/* SPDX-License-Identifier: MIT */
/*
 * colors.h - which colour each labelled value of a type has in views.
 *
 * Colours follow from the meaning of labels (export/palette.h). Where all
 * states of a type mean the same (types of tasks, CPUs), colours only tell
 * them apart. Under the names of the original tools the colours are those of
 * the original views.
 */
#ifndef WEFT_EXPORT_PRV_COLORS_H
#define WEFT_EXPORT_PRV_COLORS_H

#include "base/vec.h"
#include "export/palette.h"
#include "export/prv/names.h"

struct prv_color {
	int64_t value;
	struct rgb rgb;
};

#define PRV_COLORS_MAX 1000 /* of one view; others have Paraver's own */

struct prv_colors {
	VEC(struct prv_color) at;
	struct map known; /* values */
};

/* Adds the colours of a type's labelled values, but of 0, which is always
 * background, and of those that have one already. */
void prv_colors_add(struct prv_colors *to, const struct prv_names *n,
	const struct prv_type *t);

void prv_colors_fini(struct prv_colors *c);

/* True if some value has a label that is no error and no loss. */
bool prv_type_is_labelled(const struct prv_type *t);

#endif
