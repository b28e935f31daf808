/* SPDX-License-Identifier: MIT */
/*
 * pool.h - objects of one size that come and go.
 *
 * Objects are cut from slabs of an arena; a returned object is handed out
 * again first. The memory goes away with the arena.
 */
#ifndef WEFT_BASE_POOL_H
#define WEFT_BASE_POOL_H

#include <stddef.h>

struct arena;

struct pool {
	struct arena *arena; /* borrowed */
	void *free;          /* list through the first word of each object */
	char *at, *end;      /* uncut part of the newest slab */
	size_t size;         /* size of one object, rounded up to 8 bytes */
};

/* Sets the pool up; its slabs come from the arena. size >= 1, in bytes. */
void pool_init(struct pool *p, struct arena *a, size_t size);

/* Returns a zeroed object, aligned to 8 bytes. */
void *pool_get(struct pool *p);

/* Gives an object of this pool back; its bytes are undefined from then on. */
void pool_put(struct pool *p, void *object);

#endif
