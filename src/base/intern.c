/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"

#define FIRST_SLOTS 64u

void
intern_init(struct intern *t, struct arena *a)
{
	*t = (struct intern){ .arena = a };
}

/* Returns the FNV-1a hash, folded because only its low bits are used. */
static uint32_t
hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ h >> 32);
}

static bool
is_name(const char *name, const char *s, size_t n)
{
	return strncmp(name, s, n) == 0 && name[n] == '\0';
}

/* Returns the slot of the string, or the empty slot where it belongs. Only
 * strings of the same hash are compared. */
static struct intern_slot *
find_slot(const struct intern *t, const char *s, size_t n, uint32_t hash)
{
	uint32_t i = hash & t->mask;

	while (t->slot[i].number != 0 &&
		(t->slot[i].hash != hash ||
			!is_name(t->name[t->slot[i].number - 1], s, n)))
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

/* Doubles the slots, and makes room for half as many names. */
static void
grow(struct intern *t)
{
	uint32_t old = t->slot != NULL ? t->mask + 1 : 0;
	uint32_t slots = old != 0 ? old * 2 : FIRST_SLOTS;
	struct intern_slot *from = t->slot;
	const char **name;

	BUG_ON(slots == 0); /* 2^31 names do not fit in memory */
	t->cap = slots / 2;
	name = ARENA_ARRAY(t->arena, const char *, t->cap);
	if (t->n > 0)
		memcpy(name, t->name, t->n * sizeof *name);
	t->name = name;
	t->slot = ARENA_ARRAY(t->arena, struct intern_slot, slots);
	t->mask = slots - 1;
	for (uint32_t i = 0; i < old; i++) {
		uint32_t to = from[i].hash & t->mask;

		if (from[i].number == 0)
			continue;
		while (t->slot[to].number != 0)
			to = (to + 1) & t->mask;
		t->slot[to] = from[i];
	}
}

uint32_t
intern_add_n(struct intern *t, const char *s, size_t n)
{
	struct intern_slot *slot;
	uint32_t h;

	n = strnlen(s, n);
	h = hash(s, n);
	if (t->n == t->cap)
		grow(t);
	slot = find_slot(t, s, n, h);
	if (slot->number == 0) {
		t->name[t->n] = arena_strndup(t->arena, s, n);
		*slot = (struct intern_slot){ ++t->n, h };
	}
	return slot->number - 1;
}

uint32_t
intern_add(struct intern *t, const char *s)
{
	return intern_add_n(t, s, strlen(s));
}

uint32_t
intern_find(const struct intern *t, const char *s)
{
	uint32_t number;
	size_t n;

	if (t->slot == NULL)
		return INTERN_NONE;
	n = strlen(s);
	number = find_slot(t, s, n, hash(s, n))->number;
	return number != 0 ? number - 1 : INTERN_NONE;
}

const char *
intern_name(const struct intern *t, uint32_t id)
{
	BUG_ON(id >= t->n);
	return t->name[id];
}
