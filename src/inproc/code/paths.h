/* SPDX-License-Identifier: MIT */
/*
 * paths.h - stores call paths, each once, and numbers them.
 *
 * A path belongs to an epoch of the module map, so that the same addresses in
 * another library later make another path. Look-ups take no lock; adding a path
 * takes one. Numbers begin with 1; 0 is the empty path.
 */
#ifndef WEFT_INPROC_CODE_PATHS_H
#define WEFT_INPROC_CODE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct path {
	struct path *next;  /* next path in its bucket; set when the path is
	                     * made */
	struct path *after; /* path with the next number; atomic, written under
	                     * the lock */
	uint64_t hash;
	uint32_t number, epoch;
	uint32_t n;
	bool is_cut;
	uint64_t address[];
};

/* Computes the hash of a path for paths_get() and for caches: begin with the
 * properties, then add one address after the other. Upper bits are better than
 * lower ones. */
static inline uint64_t
paths_hash_begin(bool is_cut, uint32_t epoch)
{
	return ((uint64_t)epoch << 1 | is_cut) * 0x9e3779b97f4a7c15u;
}

static inline uint64_t
paths_hash_add(uint64_t hash, uint64_t address)
{
	return (hash ^ address) * 0xff51afd7ed558ccdu;
}

/* Returns the path of these addresses, or NULL for an empty path or without
 * memory. Not in handlers. */
const struct path *paths_get(uint64_t hash, const uint64_t *address, int n,
	bool is_cut, uint32_t epoch);

static inline bool
path_is(const struct path *p, const uint64_t *address, int n, bool is_cut,
	uint32_t epoch)
{
	if (p->n != (uint32_t)n || p->epoch != epoch || p->is_cut != is_cut)
		return false;
	for (int i = 0; i < n; i++)
		if (p->address[i] != address[i])
			return false;
	return true;
}

/* Returns the path after p, or the first one for NULL. */
const struct path *paths_after(const struct path *p);

/* Called around fork. */
void paths_hold(void);
void paths_let_go(void);

#endif
