/* SPDX-License-Identifier: MIT */
/*
 * hash.h - a hash of several numbers, for keys of map.h: start with one of
 * them, and mix in the others in their order.
 */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stdint.h>

static inline uint64_t
hash_mix(uint64_t hash, uint64_t with)
{
	hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

#endif
