/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN _Alignof(max_align_t)
#define FIRST_CHUNK ((size_t)4 << 10)
#define LAST_CHUNK ((size_t)1 << 20)
#define LARGE_OBJECT ((size_t)32 << 10)
#define SIZE_LIMIT (PTRDIFF_MAX - 2 * sizeof(struct arena_chunk))

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* bytes of data */
	_Alignas(max_align_t) char data[];
};

static void __attribute__((noreturn, cold)) die_without_memory(void)
{
	fputs("weft: out of memory\n", stderr);
	exit(3);
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX)
		die_without_memory();
	p = realloc(p, bytes > 0 ? bytes : 1);
	if (p == NULL)
		die_without_memory();
	return p;
}

void
mem_free(void *p)
{
	free(p);
}

static struct arena_chunk *
init_chunk(struct arena_chunk *c, size_t size)
{
	if (c == NULL)
		die_without_memory();
	c->size = size;
	c->next = NULL;
	return c;
}

/* Links the chunk of a large object behind the newest chunk, so that the free
 * part of the newest stays in use. */
static void *
add_alone(struct arena *a, struct arena_chunk *c, size_t size)
{
	if (a->chunk == NULL) {
		a->chunk = c;
		a->at = a->end = c->data + size;
	} else {
		c->next = a->chunk->next;
		a->chunk->next = c;
	}
	return c->data;
}

static void *
alloc_slow(struct arena *a, size_t size)
{
	size_t room = FIRST_CHUNK;
	struct arena_chunk *c;

	if (size > LARGE_OBJECT)
		return add_alone(
			a, init_chunk(malloc(sizeof *c + size), size), size);
	while (room < LAST_CHUNK &&
		(room < size * 4 ||
			(a->chunk != NULL && room <= a->chunk->size)))
		room *= 2;
	c = init_chunk(malloc(sizeof *c + room), room);
	c->next = a->chunk;
	a->chunk = c;
	a->at = c->data + size;
	a->end = c->data + room;
	return c->data;
}

/* Like arena_alloc(), but the bytes are not zeroed. */
static void *
alloc_raw(struct arena *a, size_t size)
{
	void *p = a->at;

	if (size > SIZE_LIMIT)
		die_without_memory();
	if (size == 0)
		size = 1;
	size = (size + ALIGN - 1) & ~(ALIGN - 1);
	if (size > (size_t)(a->end - a->at))
		return alloc_slow(a, size);
	a->at += size;
	return p;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c;

	if (size <= LARGE_OBJECT || size > SIZE_LIMIT ||
		size <= (size_t)(a->end - a->at))
		return memset(alloc_raw(a, size), 0, size);
	/* calloc() does not touch pages that are zero already: the unused part
	 * of a growing array takes no memory. */
	c = calloc(1, sizeof *c + size);
	return add_alone(a, init_chunk(c, size), size);
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		die_without_memory();
	return arena_alloc(a, bytes);
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *to;

	if (n == SIZE_MAX)
		die_without_memory();
	to = alloc_raw(a, n + 1);
	memcpy(to, s, n);
	to[n] = '\0';
	return to;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *to;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		die_without_memory(); /* vsnprintf() failed: the text is longer
		                       * than INT_MAX */
	to = alloc_raw(a, (size_t)n + 1);
	vsnprintf(to, (size_t)n + 1, fmt, again);
	va_end(again);
	return to;
}

static void
free_chunks(struct arena_chunk *c)
{
	while (c != NULL) {
		struct arena_chunk *next = c->next;

		mem_free(c);
		c = next;
	}
}

void
arena_reset(struct arena *a)
{
	struct arena_chunk *c = a->chunk;

	if (c == NULL)
		return;
	free_chunks(c->next);
	c->next = NULL;
	a->at = c->data;
	a->end = c->data + c->size;
}

void
arena_fini(struct arena *a)
{
	free_chunks(a->chunk);
	*a = (struct arena){ 0 };
}
