/* SPDX-License-Identifier: MIT */
#include "inproc/mem/arenas.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	HEAP = 64 << 20,
	PAGE = 4096,
	ARENAS = 1024, /* most arenas in their ring */
	KEPT = 64,
	/* byte offsets in an arena of glibc since 2.27; musl differs */
	TOP = 96,
	NEXT = 2160
};

/* The head of a heap. */
struct heap {
	uint64_t arena, before, size, usable;
};

static uint64_t kept[KEPT]; /* heaps; heap + 1: not a heap; 0: unknown */

static bool
get(uint64_t at, void *to, size_t bytes)
{
	struct iovec local = { to, bytes },
		     remote = { (void *)(uintptr_t)at, bytes };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) ==
		(ssize_t)bytes;
}

static uint64_t
heap_of(uint64_t address)
{
	return address & ~(uint64_t)(HEAP - 1);
}

static bool
is_of(uint64_t heap, uint64_t arena)
{
	struct heap h = { 0 };

	return heap != 0 && get(heap, &h, sizeof(h)) && h.arena == arena &&
		h.size > 0 && h.size <= h.usable && h.usable <= HEAP &&
		h.size % PAGE == 0 && h.usable % PAGE == 0;
}

/* Returns true if the arena is in the C library's ring of arenas. */
static bool
is_in_ring(uint64_t arena)
{
	uint64_t at = arena;

	for (int i = 0; i < ARENAS; i++) {
		if (!get(at + NEXT, &at, sizeof(at)) || at == 0)
			return false;
		if (at == arena)
			return i > 0; /* the main arena is in the ring, too */
	}
	return false;
}

static bool
is_heap(uint64_t heap)
{
	struct heap h = { 0 };
	uint64_t top, first;

	if (!get(heap, &h, sizeof(h)) || h.arena % 16 != 0)
		return false;
	first = heap_of(h.arena);
	return is_of(heap, h.arena) && is_of(first, h.arena) &&
		h.arena - first <= 2 * sizeof(h) &&
		(h.before == 0) == (heap == first) &&
		(h.before == 0 || is_of(h.before, h.arena)) &&
		get(h.arena + TOP, &top, sizeof(top)) &&
		is_of(heap_of(top), h.arena) && is_in_ring(h.arena);
}

bool
arenas_have(uint64_t address)
{
	uint64_t heap = heap_of(address), *is = &kept[heap / HEAP % KEPT];

	if (*is != heap && *is != heap + 1)
		*is = heap + !is_heap(heap);
	return *is == heap;
}

void
arenas_forget(void)
{
	memset(kept, 0, sizeof(kept));
}
