/* SPDX-License-Identifier: MIT */
/* maps.c - mmap and its family, brk and sbrk, as the program calls them. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mem/rt/hook.h"
#include "mem/rt/real.h"
#include "mem/rt/track.h"
#include "mem/wire.h"

static uint64_t
number(const void *p)
{
	return (uint64_t)(uintptr_t)p;
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
		track_unmapped(number(p), size);
	track_end(&t, &track.maps, MEM_OBJECT_MAP, p, size, HERE);
	return p;
}

/* Offsets have 64 bits under both names. */
HOOK void *mmap64(void *, size_t, int, int, int, off64_t)
	__attribute__((alias("mmap")));

HOOK int
munmap(void *p, size_t size)
{
	real_find();
	/* before, for its addresses may be somebody else's right after; what
	 * is not a page is refused */
	if (!self_tls.is_internal && number(p) % 4096 == 0)
		track_unmapped(number(p), (size + 4095) & ~(size_t)4095);
	return real.munmap(p, size);
}

HOOK void *
mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	struct track_new t;
	struct block *b;
	void *p, *to = NULL;
	va_list args;

	if (flags & MREMAP_FIXED) {
		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	real_find();
	track_begin(&t, SIZE_MAX);
	b = track_dying(&track.maps, old);
	p = real.mremap(old, old_size, size, flags, to);
	if (p == MAP_FAILED) {
		track_undying(b);
		return p;
	}
	track_dead(b);
	if (flags & MREMAP_FIXED)
		track_unmapped(number(p), size);
	track_end(&t, &track.maps, MEM_OBJECT_MAP, p, size, HERE);
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
