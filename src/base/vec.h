/* SPDX-License-Identifier: MIT */
/*
 * vec.h - a growing array of any type, from an arena.
 *
 *	VEC(struct thread) threads;          (a member; {0} is empty)
 *	struct thread *t = VEC_ADD(&threads, arena);
 *	for (int i = 0; i < threads.n; i++)
 *		use(&threads.at[i]);
 *
 * VEC_ADD returns the new, zeroed element. Growing moves the elements:
 * keep indexes, not pointers, while the vector grows. The space that growth
 * leaves behind stays in the arena (at most as much as the vector itself).
 */
#ifndef WEFT_BASE_VEC_H
#define WEFT_BASE_VEC_H

#include <stddef.h>

struct arena;

#define VEC(type) \
	struct { \
		type *at; \
		int n, cap; \
	}

#define VEC_ADD(v, arena) \
	(vec_room((arena), (void **)&(v)->at, (v)->n, &(v)->cap, \
		 sizeof *(v)->at), \
		&(v)->at[(v)->n++])

#define VEC_PUSH(v, arena, value) ((void)(*VEC_ADD((v), (arena)) = (value)))

/* Makes room for one more element of size bytes; zeroes it. */
void vec_room(struct arena *a, void **at, int n, int *cap, size_t size);

#endif
