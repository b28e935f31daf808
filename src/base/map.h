/* SPDX-License-Identifier: MIT */
/*
 * map.h - from a 64-bit key to a 64-bit value.
 *
 * Open addressing with linear probing, at most 3/4 full, in a heap block of
 * its own (16 bytes a slot) that shrinks never and is freed by map_fini().
 * Removal moves followers back, so a map that churns does not fill up with
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
	size_t n;              /* keys, without the zero key */
	bool has_zero; /* key 0 marks an empty slot, so it lives apart */
	uint64_t zero_value;
};

/* The place of the value, valid until the next put or remove, or NULL. */
uint64_t *map_get(const struct map *m, uint64_t key);

/* The place of the value of a key that is added, with value 0, if missing. */
uint64_t *map_put(struct map *m, uint64_t key);

/* True if the key was there. */
bool map_remove(struct map *m, uint64_t key);

/* Number of keys. */
size_t map_count(const struct map *m);

/*
 * Walks the map in no particular order: start with *pos = 0, stop at false.
 * The map may not be changed on the way.
 */
bool map_next(const struct map *m, size_t *pos, uint64_t *key, uint64_t *value);

void map_fini(struct map *m);

#endif
