/* SPDX-License-Identifier: MIT */
#include "export/prv/states.h"

#include <string.h>

#include "base/arena.h"

enum prv_special
prv_special_of(const char *key)
{
	if (strcmp(key, "prv.state") == 0)
		return PRV_STATES;
	return strcmp(key, "prv.cpu") == 0 ? PRV_CPUS : PRV_EVENTS;
}

void
prv_states_put(struct prv_states *s, struct prv_lines *f, uint32_t id,
	const struct prv_row *row, int64_t time, int64_t value)
{
	struct prv_open *open;

	while ((uint32_t)s->open.n <= id)
		VEC_PUSH(&s->open, s->arena,
			((struct prv_open){ .value = VALUE_NONE }));
	open = &s->open.at[id];
	if (open->value != VALUE_NONE)
		prv_lines_span(f, open->text, open->begin, time, open->value);
	open->begin = time;
	open->value = value;
	memcpy(open->text, row->text, sizeof open->text);
	open->text[row->length] = '\0';
}
