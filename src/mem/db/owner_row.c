/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "mem/db/owner.h"

/* Makes the text that tells a variable from others, in the buffer if it has
 * room, else in the arena. */
static const char *
key_text(
	struct arena *a, const struct owner_name *name, char *text, size_t size)
{
	int n = snprintf(text, size, "%d\n%" PRIu32 "\n", (int)name->kind,
		name->location);

	for (int i = 0; i < name->nchain; i++)
		n += snprintf(
			text + n, size - (size_t)n, "%x,", name->chain[i]);
	if (strlen(name->name) + 2 > size - (size_t)n)
		return arena_printf(a, "%s\n%s", text, name->name);
	snprintf(text + n, size - (size_t)n, "\n%s", name->name);
	return text;
}

uint32_t
owner_variable(struct profile *p, const struct owner_name *name)
{
	char text[OWNER_CHAIN * 9 + 512];
	uint64_t *slot = map_put(&p->variables,
		intern_add(&p->symbols.text,
			key_text(p->arena, name, text, sizeof text)));
	size_t bytes = (size_t)name->nchain * sizeof *name->chain;
	struct variable_row *v;

	if (*slot == 0) {
		v = VEC_ADD(&p->variable, p->arena);
		v->kind = name->kind;
		v->name = arena_strdup(p->arena, name->name);
		v->location = name->location;
		if (bytes > 0)
			v->chain = memcpy(arena_alloc(p->arena, bytes),
				name->chain, bytes);
		v->nchain = name->nchain;
		v->cost = ARENA_ARRAY(p->arena, struct cost, p->event_room);
		v->guessed = ARENA_ARRAY(p->arena, struct cost, p->event_room);
		v->mixed = ARENA_ARRAY(p->arena, struct cost, p->event_room);
		*slot = (uint64_t)p->variable.n;
	}
	return (uint32_t)(*slot - 1);
}
