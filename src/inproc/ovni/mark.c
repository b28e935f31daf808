/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/mark.h"

#include <string.h>

struct meta_mark *
weft_rt_mark_add(
	struct meta *meta, int32_t type, bool is_stack, const char *title)
{
	const char *kept = weft_rt_meta_keep(meta, title, strlen(title) + 1);
	struct meta_mark *m =
		kept ? weft_rt_meta_add(&meta->mark, sizeof(*m)) : NULL;

	if (m)
		*m = (struct meta_mark){
			.type = type, .is_stack = is_stack, .title = kept
		};
	return m;
}

bool
weft_rt_mark_label(struct meta *meta, struct meta_mark *m, int64_t value,
	const char *label)
{
	struct meta_label **at = &m->label, *l;

	for (; *at; at = &(*at)->next)
		if ((*at)->value == value)
			return false;
	l = weft_rt_meta_keep(meta, NULL, sizeof(*l));
	label = weft_rt_meta_keep(meta, label, strlen(label) + 1);
	if (!l || !label)
		return true;
	*l = (struct meta_label){ .value = value, .text = label };
	*at = l;
	return true;
}
