/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <string.h>

#include "base/arena.h"

#define FIRST_SLOTS 16
#define MOSTLY_EMPTY 16 /* slots per key */

struct map_slot {
	uint64_t key; /* 0: empty */
	uint64_t value;
};

/*
 * Ids are mostly sequential or multiples of a power of two (addresses). The
 * product spreads low bits upwards, the shifts bring high bits down; the
 * constant is 2^64 divided by the golden ratio.
 */
static inline size_t
home_of(const struct map *m, uint64_t key)
{
	key ^= key >> 32;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 32;
	return (size_t)key & m->mask;
}

/* Returns the slot of the key, or the empty slot where it belongs. */
static inline struct map_slot *
find_slot(const struct map *m, uint64_t key)
{
	size_t i = home_of(m, key);

	while (m->slot[i].key != key && m->slot[i].key != 0)
		i = (i + 1) & m->mask;
	return &m->slot[i];
}

static void
resize(struct map *m, size_t slots)
{
	struct map old = *m;

	m->slot = mem_resize(NULL, slots, sizeof *m->slot);
	memset(m->slot, 0, slots * sizeof *m->slot);
	m->mask = slots - 1;
	for (size_t i = 0; old.slot != NULL && i <= old.mask; i++)
		if (old.slot[i].key != 0)
			*find_slot(m, old.slot[i].key) = old.slot[i];
	mem_free(old.slot);
}

uint64_t *
map_get(const struct map *m, uint64_t key)
{
	struct map_slot *s;

	if (key == 0)
		return m->has_zero ? (uint64_t *)&m->zero_value : NULL;
	if (m->slot == NULL)
		return NULL;
	s = find_slot(m, key);
	return s->key == key ? &s->value : NULL;
}

static uint64_t *
put_zero(struct map *m)
{
	if (!m->has_zero) {
		m->has_zero = true;
		m->zero_value = 0;
	}
	return &m->zero_value;
}

uint64_t *
map_put(struct map *m, uint64_t key)
{
	struct map_slot *s;

	if (key == 0)
		return put_zero(m);
	if (m->slot == NULL)
		resize(m, FIRST_SLOTS);
	s = find_slot(m, key);
	if (s->key == key)
		return &s->value;
	if ((m->n + 1) * 4 > (m->mask + 1) * 3) {
		resize(m, (m->mask + 1) * 2);
		s = find_slot(m, key);
	}
	s->key = key;
	s->value = 0;
	m->n++;
	return &s->value;
}

/* Moves back every follower whose home slot is at or before the hole. */
static void
close_hole(struct map *m, size_t hole)
{
	for (size_t i = (hole + 1) & m->mask; m->slot[i].key != 0;
		i = (i + 1) & m->mask) {
		size_t from_home = (i - home_of(m, m->slot[i].key)) & m->mask;

		if (from_home >= ((i - hole) & m->mask)) {
			m->slot[hole] = m->slot[i];
			hole = i;
		}
	}
	m->slot[hole].key = 0;
}

bool
map_remove(struct map *m, uint64_t key)
{
	struct map_slot *s;

	if (key == 0) {
		bool had = m->has_zero;

		m->has_zero = false;
		return had;
	}
	if (m->slot == NULL)
		return false;
	s = find_slot(m, key);
	if (s->key != key)
		return false;
	close_hole(m, (size_t)(s - m->slot));
	m->n--;
	return true;
}

size_t
map_count(const struct map *m)
{
	return m->n + m->has_zero;
}

bool
map_next(const struct map *m, size_t *pos, uint64_t *key, uint64_t *value)
{
	/* In a walk, position 0 is the zero key, position i + 1 is slot i. */
	if ((*pos)++ == 0 && m->has_zero) {
		*key = 0;
		*value = m->zero_value;
		return true;
	}
	if (*pos == 1)
		(*pos)++;
	for (; m->slot != NULL && *pos - 2 <= m->mask; (*pos)++) {
		const struct map_slot *s = &m->slot[*pos - 2];

		if (s->key != 0) {
			*key = s->key;
			*value = s->value;
			return true;
		}
	}
	return false;
}

void
map_clear(struct map *m)
{
	if (m->mask + 1 > MOSTLY_EMPTY * (m->n + 1)) {
		map_fini(m);
		return;
	}
	if (m->slot != NULL)
		memset(m->slot, 0, (m->mask + 1) * sizeof *m->slot);
	m->n = 0;
	m->has_zero = false;
}

void
map_fini(struct map *m)
{
	mem_free(m->slot);
	*m = (struct map){ 0 };
}
