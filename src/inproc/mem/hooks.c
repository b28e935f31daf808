/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - malloc and its family, as the program calls them.
 *
 * The fast half of each function decides that a call need not be tracked and
 * calls the real function; the slow half is a separate function, so that the
 * fast half needs no frame, and calls track.h.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/mem/hook.h"
#include "inproc/mem/real.h"
#include "inproc/mem/track.h"
#include "mem/wire.h"

/* Returns true within the recorder, which allocates from the scratch memory. */
static bool
is_own(void)
{
	if (self_tls.is_internal)
		return true;
	if (real.malloc == NULL)
		real_find();
	WEFT_ASSERT(real_functions_are_known, real.malloc != NULL);
	return false;
}

static void *
own(size_t bytes)
{
	void *p = scratch_take(bytes);

	return p != NULL || real.malloc == NULL ? p : real.calloc(1, bytes);
}

static SLOW void *
slow_malloc(size_t size)
{
	struct track_new t;
	void *p;

	if (is_own())
		return own(size);
	track_begin(&t, size);
	p = real.malloc(size);
	track_end(&t, &track.heap, MEM_OBJECT_HEAP, p, size, HERE);
	return p;
}

HOOK void *
malloc(size_t size)
{
	return track_is_plain(size) ? real.malloc(size) : slow_malloc(size);
}

static SLOW void *
slow_calloc(size_t n, size_t each)
{
	struct track_new t;
	void *p;

	if (is_own())
		return own(n * each);
	track_begin(&t, n * each);
	p = real.calloc(n, each);
	track_end(&t, &track.heap, MEM_OBJECT_HEAP, p, n * each, HERE);
	return p;
}

HOOK void *
calloc(size_t n, size_t each)
{
	size_t size;

	/* let the real function refuse an overflow */
	if (__builtin_mul_overflow(n, each, &size))
		return is_own() ? NULL : real.calloc(n, each);
	return track_is_plain(size) ? real.calloc(n, each)
				    : slow_calloc(n, each);
}

static SLOW void
slow_free(void *p)
{
	if (scratch_has(p))
		return;
	if (is_own()) {
		if (real.free != NULL)
			real.free(p);
		return;
	}
	track_dead(track_dying(&track.heap, p));
	real.free(p);
}

HOOK void
free(void *p)
{
	if (index_may_start(&track.heap, (uint64_t)(uintptr_t)p) ||
		scratch_has(p) || real.free == NULL)
		slow_free(p);
	else
		real.free(p);
}

/* Moves a scratch block to memory of the caller. */
static void *
leave_scratch(void *old, size_t size)
{
	void *p = is_own() ? own(size) : malloc(size);
	size_t had = scratch_size(old);

	if (p != NULL)
		memcpy(p, old, size < had ? size : had);
	return p;
}

static SLOW void *
slow_realloc(void *old, size_t size, const void *frame)
{
	struct track_new t;
	struct block *b, was = { 0 };
	void *p;

	if (scratch_has(old))
		return leave_scratch(old, size);
	if (is_own())
		return old == NULL ? own(size) : real.realloc(old, size);
	track_begin(&t, size);
	b = old == NULL ? NULL : track_dying(&track.heap, old);
	if (b != NULL)
		was = *b;
	p = real.realloc(old, size);
	/* for size 0 it has freed the block, and returns NULL, too */
	if (p == NULL && size != 0)
		track_undying(b, &was);
	else
		track_dead(b);
	track_end(&t, &track.heap, MEM_OBJECT_HEAP, p, size, frame);
	return p;
}

static inline void *
realloc_from(void *old, size_t size, const void *frame)
{
	if (track_is_plain(size) && !scratch_has(old) &&
		!index_may_start(&track.heap, (uint64_t)(uintptr_t)old))
		return real.realloc(old, size);
	return slow_realloc(old, size, frame);
}

HOOK void *
realloc(void *old, size_t size)
{
	return realloc_from(old, size, HERE);
}

HOOK void *
reallocarray(void *old, size_t n, size_t each)
{
	size_t size;

	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc_from(old, size, HERE);
}

static SLOW void *
slow_aligned(void *(*make)(size_t, size_t), size_t align, size_t size)
{
	struct track_new t;
	void *p;

	track_begin(&t, size);
	p = make(align, size);
	track_end(&t, &track.heap, MEM_OBJECT_HEAP, p, size, HERE);
	return p;
}

static void *
aligned(void *(*make)(size_t, size_t), size_t align, size_t size)
{
	return track_is_plain(size) ? make(align, size)
				    : slow_aligned(make, align, size);
}

HOOK void *
memalign(size_t align, size_t size)
{
	real_find();
	return aligned(real.memalign, align, size);
}

HOOK void *
aligned_alloc(size_t align, size_t size)
{
	real_find();
	return aligned(real.aligned_alloc, align, size);
}

HOOK int
posix_memalign(void **to, size_t align, size_t size)
{
	struct track_new t = { 0 };
	int error;

	real_find();
	if (!track_is_plain(size))
		track_begin(&t, size);
	error = real.posix_memalign(to, align, size);
	if (error == 0)
		track_end(&t, &track.heap, MEM_OBJECT_HEAP, *to, size, HERE);
	return error;
}

static void *
pages(void *(*make)(size_t), size_t size)
{
	struct track_new t = { 0 };
	void *p;

	if (!track_is_plain(size))
		track_begin(&t, size);
	p = make(size);
	track_end(&t, &track.heap, MEM_OBJECT_HEAP, p, size, HERE);
	return p;
}

HOOK void *
valloc(size_t size)
{
	real_find();
	return pages(real.valloc, size);
}

HOOK void *
pvalloc(size_t size)
{
	real_find();
	return pages(real.pvalloc, size);
}
