/* SPDX-License-Identifier: MIT */
#include "rt/mark.h"

#include <stdlib.h>
#include <string.h>

struct meta_mark *
weft_rt_mark_add(
	struct meta *meta, int32_t type, bool is_stack, const char *title)
{
	struct meta_mark *m = weft_rt_meta_add(&meta->mark, sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct meta_mark){
		.type = type, .is_stack = is_stack, .title = strdup(title)
	};
	return m;
}

bool
weft_rt_mark_label(struct meta_mark *m, int64_t value, const char *label)
{
	struct meta_label **at = &m->label, *l;

	for (; *at; at = &(*at)->next)
		if ((*at)->value == value)
			return false;
	l = malloc(sizeof(*l));
	if (!l)
		return true;
	*l = (struct meta_label){ .value = value, .text = strdup(label) };
	*at = l;
	return true;
}
