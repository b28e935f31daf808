/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

void
vec_grow(struct arena *a, void *at, int *cap, size_t size)
{
	size_t n = (size_t)*cap;
	size_t want = n > 0 ? n * 2 : 8;
	char *old, *fresh;

	if (want > INT_MAX)
		/* No machine has that much memory, so the arena ends the
		 * process. */
		want = PTRDIFF_MAX;
	memcpy(&old, at, sizeof old);
	fresh = arena_array(a, want, size);
	if (n > 0)
		memcpy(fresh, old, n * size);
	memcpy(at, &fresh, sizeof fresh);
	*cap = (int)want;
}
