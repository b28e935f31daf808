/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

static void *
grow(struct arena *a, const void *old, int n, int *cap, size_t size)
{
	size_t want = *cap > 0 ? (size_t)*cap * 2 : 8;
	char *fresh;

	if (want > INT_MAX)
		want = SIZE_MAX; /* no memory has that much: the arena ends us
		                  */
	fresh = arena_array(a, want, size);
	if (n > 0)
		memcpy(fresh, old, (size_t)n * size);
	*cap = (int)want;
	return fresh;
}

void
vec_room(struct arena *a, void **at, int n, int *cap, size_t size)
{
	char *items;

	/* *at is really a pointer to the element type: copy, do not alias. */
	memcpy(&items, at, sizeof items);
	if (n < *cap) {
		memset(items + (size_t)n * size, 0, size);
		return;
	}
	items = grow(a, items, n, cap, size);
	memcpy(at, &items, sizeof items);
}
