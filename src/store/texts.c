/* SPDX-License-Identifier: MIT */
#include "store/texts.h"

#include <stdbool.h>
#include <string.h>

#include "base/bug.h"

#define FIRST_SLOTS 256u

void
names_init(struct names *t, struct arena *a)
{
	*t = (struct names){ .arena = a };
}

/* Hashes eight bytes at a time: every row looks names up. */
static uint32_t
hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ n, word = 0;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
		h ^= h >> 29;
	}
	word = 0;
	if (n > 0)
		memcpy(&word, s, n);
	h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
	return (uint32_t)(h >> 32);
}

static bool
is_name(const struct name *name, uint32_t h, const char *text, size_t size)
{
	return name->hash == h && name->size == size &&
		memcmp(name->text, text, size) == 0;
}

/* Returns the slot of the text, or the empty slot for it. */
static uint32_t *
find_slot(const struct names *t, uint32_t h, const char *text, size_t size)
{
	uint32_t i = h & t->mask;

	while (t->slot[i] != 0 &&
		!is_name(&t->at[t->slot[i] - 1], h, text, size))
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static void
grow(struct names *t)
{
	uint32_t slots = t->slot != NULL ? (t->mask + 1) * 2 : FIRST_SLOTS;

	BUG_ON(slots == 0); /* 2^31 names do not fit in memory */
	t->cap = slots / 2;
	t->at = mem_resize(t->at, t->cap, sizeof *t->at);
	t->slot = mem_resize(t->slot, slots, sizeof *t->slot);
	memset(t->slot, 0, slots * sizeof *t->slot);
	t->mask = slots - 1;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct name *name = &t->at[i];
		uint32_t *slot =
			find_slot(t, name->hash, name->text, name->size);

		if (*slot == 0)
			*slot = i + 1;
	}
}

static void
append(struct names *t, uint32_t h, const char *text, size_t size)
{
	t->at[t->n++] =
		(struct name){ .text = arena_strndup(t->arena, text, size),
			.size = (uint32_t)size,
			.hash = h };
}

uint32_t
names_add(struct names *t, const char *text, size_t size)
{
	uint32_t h = hash(text, size);
	uint32_t *slot;

	if (t->n == t->cap)
		grow(t);
	slot = find_slot(t, h, text, size);
	if (*slot == 0) {
		append(t, h, text, size);
		*slot = t->n;
	}
	return *slot;
}

void
names_append(struct names *t, const char *text, size_t size)
{
	uint32_t h = hash(text, size);
	uint32_t *slot;

	if (t->n == t->cap)
		grow(t);
	slot = find_slot(t, h, text, size);
	append(t, h, text, size);
	if (*slot == 0)
		*slot = t->n;
}

void
names_fini(struct names *t)
{
	mem_free(t->at);
	mem_free(t->slot);
	*t = (struct names){ 0 };
}
