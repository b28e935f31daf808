/* SPDX-License-Identifier: MIT */
#include "export/index/slab.h"

#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"

#define REGION_FIRST ((size_t)256 << 10)
#define REGION_MOST ((size_t)32 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

static void *
map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		mem_resize(NULL, PTRDIFF_MAX, 1); /* ends the process */
	if (size >= HUGE_PAGE)
		madvise(at, size, MADV_HUGEPAGE);
	return at;
}

static void
add_region(struct slab *s)
{
	size_t size = s->regions == NULL ? REGION_FIRST : 2 * s->regions->size;
	struct slab_region *r;

	if (size > REGION_MOST)
		size = REGION_MOST;
	r = map(size);
	r->size = size;
	r->next = s->regions;
	s->regions = r;
	s->at = (uint8_t *)r + SLAB_SMALLEST;
	s->end = (uint8_t *)r + size;
}

static void
push(struct slab *s, void *buffer, int size)
{
	memcpy(buffer, &s->free[size], sizeof(void *));
	s->free[size] = buffer;
	s->spare += (size_t)SLAB_SMALLEST << size;
}

static void *
pop(struct slab *s, int size)
{
	void *buffer = s->free[size];

	if (buffer != NULL) {
		memcpy(&s->free[size], buffer, sizeof(void *));
		s->spare -= (size_t)SLAB_SMALLEST << size;
	}
	return buffer;
}

/* Takes the smallest free buffer of a larger size, and splits it. */
static void *
cut(struct slab *s, int size)
{
	for (int larger = size + 1; larger < SLAB_SIZES; larger++) {
		uint8_t *buffer = pop(s, larger);

		if (buffer == NULL)
			continue;
		while (larger-- > size)
			push(s, buffer + ((size_t)SLAB_SMALLEST << larger),
				larger);
		return buffer;
	}
	return NULL;
}

void *
slab_get(struct slab *s, int size)
{
	size_t n = (size_t)SLAB_SMALLEST << size;
	void *buffer = pop(s, size);

	if (buffer == NULL)
		buffer = cut(s, size);
	if (buffer == NULL) {
		if ((size_t)(s->end - s->at) < n)
			add_region(s);
		buffer = s->at;
		s->at += n;
	}
	s->used += n;
	return buffer;
}

void
slab_put(struct slab *s, void *buffer, int size)
{
	s->used -= (size_t)SLAB_SMALLEST << size;
	push(s, buffer, size);
}

void
slab_fini(struct slab *s)
{
	while (s->regions != NULL) {
		struct slab_region *r = s->regions;

		s->regions = r->next;
		munmap(r, r->size);
	}
	*s = (struct slab){ 0 };
}

void *
slab_array(void *array, size_t old, size_t size)
{
	void *at;

	if (array == NULL)
		return map(size);
	if (size == 0) {
		munmap(array, old);
		return NULL;
	}
	at = mremap(array, old, size, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		mem_resize(NULL, PTRDIFF_MAX, 1); /* ends the process */
	if (size >= HUGE_PAGE)
		madvise(at, size, MADV_HUGEPAGE);
	return at;
}
