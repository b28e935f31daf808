/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is freed all at once.
 *
 * An arena is a list of chunks; an allocation moves a pointer. Objects that die
 * together share an arena: the objects of a command, of a trace, of one step.
 * {0} is an empty arena. A single object cannot be freed.
 *
 *	struct arena a = { 0 };
 *	struct thing *t = ARENA_NEW(&a, struct thing);
 *	...
 *	arena_fini(&a);
 *
 * When memory runs out, the arena prints a message and ends the process with
 * exit code 3, so no caller checks for NULL. Not thread safe: only one thread
 * may use an arena at a time.
 */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* list of chunks, the newest first; owned */
	char *at, *end;            /* free part of the newest chunk */
};

/* Returns `size` zeroed bytes, aligned for any type. size 0 gives a valid
 * pointer. */
void *arena_alloc(struct arena *a, size_t size)
	__attribute__((malloc, alloc_size(2), returns_nonnull));

/* Returns n zeroed objects of `size` bytes; if n * size overflows, ends the
 * process. */
void *arena_array(struct arena *a, size_t n, size_t size)
	__attribute__((malloc, alloc_size(2, 3), returns_nonnull));

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) \
	((type *)arena_array((a), (size_t)(n), sizeof(type)))

/* Return copies in the arena. arena_strndup() copies n bytes and adds a NUL. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Forgets all objects; keeps one chunk for the next round. */
void arena_reset(struct arena *a);

/* Frees all objects; the arena is empty and may be used again. */
void arena_fini(struct arena *a);

/*
 * Allocates like realloc(), but ends the process when memory runs out. For the
 * few containers that own a heap block (map, heap, file buffers). New bytes are
 * not zeroed. mem_free(NULL) does nothing.
 */
void *mem_resize(void *p, size_t n, size_t size)
	__attribute__((alloc_size(2, 3), returns_nonnull));
void mem_free(void *p);

#endif
