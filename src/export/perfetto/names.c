/* SPDX-License-Identifier: MIT */
#include "export/perfetto/names.h"

#include "base/arena.h"
#include "base/digits.h"
#include "base/text.h"

void
perfetto_names_init(struct perfetto_names *n, struct arena *a)
{
	*n = (struct perfetto_names){ .arena = a,
		.small = ARENA_ARRAY(a, struct perfetto_name, PERFETTO_SMALL) };
}

void
perfetto_names_fini(struct perfetto_names *n)
{
	map_fini(&n->index);
}

static struct perfetto_name *
add(struct perfetto_names *n, int64_t value)
{
	const struct perfetto_name none = { 0 };

	VEC_PUSH(&n->large, n->arena, none);
	*map_put(&n->index, (uint64_t)value) = (uint64_t)n->large.n;
	return &n->large.at[n->large.n - 1];
}

void
perfetto_names_label(struct perfetto_names *n, int64_t value, const char *text)
{
	struct perfetto_name *name = perfetto_names_find(n, value);

	if (name == NULL)
		name = add(n, value);
	if (name->label != NULL)
		return;
	name->label = arena_strdup(n->arena, text_trim(text));
	name->field.length = 0;
}

void
perfetto_named_first(struct perfetto_wire *w, enum perfetto_event type,
	uint64_t time, const struct perfetto_head *head,
	struct perfetto_names *n, int64_t value)
{
	struct perfetto_name *name = perfetto_names_find(n, value);
	char digits[DIGITS_MAX];
	const char *text;

	/* A trace with more ids than numbers needs no memory for them. */
	if (name == NULL && w->names < PERFETTO_NAMES)
		name = add(n, value);
	*digits_i64(digits, value) = '\0';
	text = name != NULL && name->label != NULL ? name->label : digits;
	perfetto_event_end(w,
		perfetto_event(w, type, time, head, text,
			name != NULL ? &name->field : NULL));
}
