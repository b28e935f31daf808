/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is freed all at once.
 *
 * An arena is a list of chunks; an allocation moves a pointer. Things that
 * die together share one: the run of a command, a trace, one step. {0} is an
 * empty arena. There is no free() of a single object.
 *
 *	struct arena a = { 0 };
 *	struct thing *t = ARENA_NEW(&a, struct thing);
 *	...
 *	arena_fini(&a);
 *
 * Out of memory ends the process here, with one sentence and exit code 3, so
 * that no caller has to ask. Not thread safe: an arena has one user at a time.
 */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* newest first; owned */
	char *at, *end;            /* free part of the newest chunk */
};

/* size bytes, zeroed, aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size)
	__attribute__((malloc, alloc_size(2), returns_nonnull));

/* n objects of size bytes, zeroed; ends the process if n * size overflows. */
void *arena_array(struct arena *a, size_t n, size_t size)
	__attribute__((malloc, alloc_size(2, 3), returns_nonnull));

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) \
	((type *)arena_array((a), (size_t)(n), sizeof(type)))

/* Copies of strings; the second takes n bytes and adds a NUL. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Forgets all objects; keeps one chunk for the next round. */
void arena_reset(struct arena *a);

/* Frees everything; the arena is empty and may be used again. */
void arena_fini(struct arena *a);

/*
 * For the few containers that churn and own a heap block (map, heap, file
 * buffers): realloc() that ends the process when there is no memory. The new
 * part is not zeroed. mem_free(NULL) is fine.
 */
void *mem_resize(void *p, size_t n, size_t size)
	__attribute__((alloc_size(2, 3), returns_nonnull));
void mem_free(void *p);

#endif
