/* SPDX-License-Identifier: MIT */
/*
 * mark.h - mark types and their labels in a thread's metadata.
 */
#ifndef WEFT_INPROC_OVNI_MARK_H
#define WEFT_INPROC_OVNI_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/ovni/meta.h"

/* Adds a mark type, which must be new. Returns NULL without memory. */
struct meta_mark *weft_rt_mark_add(
	struct meta *meta, int32_t type, bool is_stack, const char *title);

/* Adds a label. Returns false if the value has a label. */
bool weft_rt_mark_label(struct meta *meta, struct meta_mark *m, int64_t value,
	const char *label);

#endif
