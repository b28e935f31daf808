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
#include <string.h>

struct arena;

#define VEC(type) \
	struct { \
		type *at; \
		int n, cap; \
	}

/* Makes room for one more element. The address is passed as a void *, although
 * it is a pointer to the element type; vec_grow() copies it as bytes. */
#define VEC_ROOM(v, arena) \
	((v)->n < (v)->cap ? (void)0 \
			   : vec_grow((arena), (void *)&(v)->at, &(v)->cap, \
				     sizeof *(v)->at))

#define VEC_ADD(v, arena) \
	(VEC_ROOM((v), (arena)), \
		(void)memset(&(v)->at[(v)->n], 0, sizeof *(v)->at), \
		&(v)->at[(v)->n++])

#define VEC_PUSH(v, arena, value) \
	(VEC_ROOM((v), (arena)), (void)((v)->at[(v)->n++] = (value)))

/* Doubles a full vector of *cap elements of size bytes. */
void vec_grow(struct arena *a, void *at, int *cap, size_t size)
	__attribute__((cold));

#endif
