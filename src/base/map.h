/* SPDX-License-Identifier: MIT */
/*
 * map.h - a hash map from 64-bit keys to 64-bit values.
 *
 * Open addressing with linear probing, at most 3/4 full, in a heap block of its
 * own (16 bytes a slot) that never shrinks and is freed by map_fini(). Removal
 * moves followers back, so a map with many removals does not fill up with
 * tombstones. Any key is allowed. {0} is an empty map.
 */
#ifndef WEFT_BASE_MAP_H
#define WEFT_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
	struct map_slot *slot; /* owned; NULL when nothing was ever put */
	size_t mask;           /* slots - 1 */
	size_t n;              /* number of keys, without the zero key */
	bool has_zero; /* key 0 marks an empty slot, so its value is stored
	                * separately */
	uint64_t zero_value;
};

/* Returns a pointer to the value, valid until the next put or remove, or
 * NULL. */
uint64_t *map_get(const struct map *m, uint64_t key);

/* Returns a pointer to the value; a missing key is added with value 0. */
uint64_t *map_put(struct map *m, uint64_t key);

/* Removes the key. Returns true if it was in the map. */
bool map_remove(struct map *m, uint64_t key);

/* Returns the number of keys. */
size_t map_count(const struct map *m);

/*
 * Walks the map in no particular order: start with *pos = 0, stop at false. The
 * map may not be changed during the walk.
 */
bool map_next(const struct map *m, size_t *pos, uint64_t *key, uint64_t *value);

/* Removes all keys. Keeps the slots, unless they were mostly empty. */
void map_clear(struct map *m);

void map_fini(struct map *m);

#endif
