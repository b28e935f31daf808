/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"

#define SLAB_BYTES ((size_t)4096)

void
pool_init(struct pool *p, struct arena *a, size_t size)
{
	BUG_ON(size == 0 || size > PTRDIFF_MAX);
	*p = (struct pool){ .arena = a, .size = (size + 7) & ~(size_t)7 };
}

static void
add_slab(struct pool *p)
{
	size_t n = p->size < SLAB_BYTES ? SLAB_BYTES / p->size : 1;

	p->at = arena_array(p->arena, n, p->size);
	p->end = p->at + n * p->size;
}

void *
pool_get(struct pool *p)
{
	void *object = p->free;

	if (object != NULL) {
		memcpy(&p->free, object, sizeof p->free);
		return memset(object, 0, p->size);
	}
	if (p->at == p->end)
		add_slab(p);
	object = p->at;
	p->at += p->size;
	return object;
}

void
pool_put(struct pool *p, void *object)
{
	memcpy(object, &p->free, sizeof p->free);
	p->free = object;
}
