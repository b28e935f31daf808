/* SPDX-License-Identifier: MIT */
/* maps.c - hooks for mmap and its family, brk and sbrk. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inproc/mem/hook.h"
#include "inproc/mem/real.h"
#include "inproc/mem/track.h"
#include "mem/wire.h"

static uint64_t
number(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* Returns the bytes that the kernel maps for this size. */
static size_t
whole_pages(size_t size)
{
	return (size + 4095) & ~(size_t)4095;
}

HOOK void *
mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	struct track_new t;
	void *p;

	real_find();
	if (self_tls.is_internal)
		return real.mmap(at, size, protection, flags, fd, offset);
	track_begin(&t, SIZE_MAX);
	p = real.mmap(at, size, protection, flags, fd, offset);
	if (p == MAP_FAILED)
		return p;
	if (flags & MAP_FIXED)
		track_unmapped(number(p), whole_pages(size));
	track_end(&t, &track.maps, MEM_OBJECT_MAP, p, whole_pages(size), HERE);
	return p;
}

/* mmap64() is mmap(): off_t has 64 bits, too. */
HOOK void *mmap64(void *, size_t, int, int, int, off64_t)
	__attribute__((alias("mmap")));

HOOK int
munmap(void *p, size_t size)
{
	real_find();
	/* before the call, since another thread may get the addresses right
	 * after; the kernel refuses addresses that are not a page's */
	if (!self_tls.is_internal && number(p) % 4096 == 0)
		track_unmapped(number(p), whole_pages(size));
	return real.munmap(p, size);
}

/* The memory that mremap() releases, noted before the kernel can give its
 * addresses to another thread. */
struct leaving {
	struct block *whole; /* marked dead; NULL: only a part, or no block */
	struct block of;     /* copy of the block before; size 0: no block */
	uint64_t lo, size;
};

static struct leaving
leave(const void *old, size_t bytes)
{
	struct leaving l = { .lo = number(old), .size = bytes };
	const struct block *b = track_covering(&track.maps, old);

	if (b == NULL || bytes == 0)
		return l;
	if (b->lo == l.lo && b->size == bytes) {
		l.whole = track_dying(&track.maps, old);
		if (l.whole != NULL)
			l.of = *l.whole;
		return l;
	}
	l.of = *b;
	track_unmapped(l.lo, bytes);
	return l;
}

static void
leave_not(const struct leaving *l)
{
	if (l->whole != NULL)
		track_undying(l->whole, &l->of);
	else if (l->of.size != 0)
		track_mapped_again(&l->of, l->lo, l->size);
}

HOOK void *
mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	struct track_new t;
	struct leaving leaving;
	void *p, *to = NULL;
	va_list args;

	if (flags & MREMAP_FIXED) {
		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	real_find();
	track_begin(&t, SIZE_MAX);
	leaving = leave(
		old, flags & MREMAP_DONTUNMAP ? 0 : whole_pages(old_size));
	p = real.mremap(old, old_size, size, flags, to);
	if (p == MAP_FAILED) {
		leave_not(&leaving);
		return p;
	}
	track_dead(leaving.whole);
	if (flags & MREMAP_FIXED)
		track_unmapped(number(p), whole_pages(size));
	track_end(&t, &track.maps, MEM_OBJECT_MAP, p, whole_pages(size), HERE);
	return p;
}

/* The end of the heap has moved. */
static void
moved(struct track_new *t, uint64_t from, uint64_t to, const void *frame)
{
	if (to > from)
		track_end(t, &track.maps, MEM_OBJECT_BREAK,
			(const void *)(uintptr_t)from, to - from, frame);
	else
		track_unmapped(to, from - to);
}

HOOK int
brk(void *end)
{
	struct track_new t;
	uint64_t before;
	int code;

	real_find();
	track_begin(&t, SIZE_MAX);
	before = number(real.sbrk(0));
	code = real.brk(end);
	if (code == 0)
		moved(&t, before, number(end), HERE);
	return code;
}

HOOK void *
sbrk(intptr_t by)
{
	struct track_new t;
	void *p;

	real_find();
	track_begin(&t, SIZE_MAX);
	p = real.sbrk(by);
	if (p != (void *)-1 && by != 0)
		moved(&t, number(p), number(p) + (uint64_t)by, HERE);
	return p;
}
