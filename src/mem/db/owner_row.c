/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "mem/db/owner.h"

static uint64_t
hash_of(const struct owner_name *name)
{
	uint64_t hash = hash_mix((uint64_t)name->kind, name->location);

	hash = hash_mix(hash, (uintptr_t)name->name);
	for (int i = 0; i < name->nchain; i++)
		hash = hash_mix(hash, name->chain[i]);
	return hash;
}

static bool
is_named(const struct variable_row *v, const struct owner_name *name)
{
	size_t bytes = (size_t)name->nchain * sizeof *name->chain;

	return v->kind == name->kind && v->name == name->name &&
		v->location == name->location && v->nchain == name->nchain &&
		(bytes == 0 || memcmp(v->chain, name->chain, bytes) == 0);
}

static uint32_t
add_variable(struct profile *p, const struct owner_name *name)
{
	size_t bytes = (size_t)name->nchain * sizeof *name->chain;
	struct variable_row *v = VEC_ADD(&p->variable, p->arena);

	v->kind = name->kind;
	v->name = name->name;
	v->location = name->location;
	if (bytes > 0)
		v->chain = memcpy(
			arena_alloc(p->arena, bytes), name->chain, bytes);
	v->nchain = name->nchain;
	v->cost = ARENA_ARRAY(p->arena, struct cost, p->event_room);
	return (uint32_t)p->variable.n;
}

uint32_t
owner_variable(struct profile *p, const struct owner_name *name)
{
	struct intern *text = &p->symbols.text;
	struct owner_name own = *name;
	uint64_t hash, *slot;

	/* interned, so that the address stands for the text */
	own.name = intern_name(text, intern_add(text, name->name));
	hash = hash_of(&own);
	/* of different variables with one hash, one gets the next hash */
	for (slot = map_put(&p->variables, hash); *slot != 0;
		slot = map_put(&p->variables, ++hash))
		if (is_named(&p->variable.at[*slot - 1], &own))
			return (uint32_t)(*slot - 1);
	*slot = add_variable(p, &own);
	return (uint32_t)(*slot - 1);
}
