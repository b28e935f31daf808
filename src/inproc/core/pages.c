/* SPDX-License-Identifier: MIT */
#include "inproc/core/pages.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/spin.h"

enum {
	ALIGN = 64,
	FIRST = 64 << 10,
	HUGE_PAGE = 2 << 20,
	LARGEST = 2 * HUGE_PAGE,
	RANGES = 4096
};

static struct {
	struct spin lock; /* RANK_ROOM: for next, at, end */
	size_t next;      /* bytes of the next mapping */
	char *at, *end;
	unsigned n; /* atomic; any thread takes the next one */
	struct range {
		uint64_t lo, hi; /* atomic; hi 0: not known yet, or unmapped */
	} range[RANGES];         /* later mappings are not recorded */
} room;

/* Writes hi last: until then readers find an empty range. */
static void
note_range(uint64_t lo, size_t bytes)
{
	unsigned i = __atomic_fetch_add(&room.n, 1, __ATOMIC_RELAXED);

	if (i >= RANGES)
		return;
	__atomic_store_n(&room.range[i].lo, lo, __ATOMIC_RELAXED);
	__atomic_store_n(&room.range[i].hi, lo + bytes, __ATOMIC_RELEASE);
}

static bool
is_in_range(unsigned i, uint64_t address)
{
	uint64_t hi = __atomic_load_n(&room.range[i].hi, __ATOMIC_ACQUIRE);

	return address < hi &&
		address >= __atomic_load_n(&room.range[i].lo, __ATOMIC_RELAXED);
}

static void *
map(size_t bytes)
{
	int error = errno;
	/* our mmap() is a hook */
	long at = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *p = (void *)at;

	errno = error;
	if (at == -1)
		return NULL;
	note_range((uint64_t)(uintptr_t)p, bytes);
	return p;
}

void *
room_map(size_t bytes)
{
	return map(bytes);
}

/* Makes a new mapping; the small rest of the old one is left unused. */
static bool
refill(size_t bytes)
{
	size_t want = room.next == 0 ? FIRST : room.next, skip = 0;
	char *p;

	WEFT_ASSERT(room_is_refilled_under_the_lock, held_is(RANK_ROOM));
	while (want < bytes)
		want *= 2;
	p = map(want >= HUGE_PAGE ? want + HUGE_PAGE : want);
	if (p == NULL)
		return false;
	if (want >= HUGE_PAGE) {
		int error = errno;

		skip = -(uintptr_t)p & (HUGE_PAGE - 1);
		madvise(p + skip, want, MADV_HUGEPAGE);
		errno = error;
	}
	room.at = p + skip;
	room.end = room.at + want;
	room.next = want < LARGEST ? want * 2 : LARGEST;
	return true;
}

void *
room_take(size_t bytes)
{
	void *p = NULL;

	bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	spin_lock(&room.lock, RANK_ROOM);
	if ((size_t)(room.end - room.at) >= bytes || refill(bytes)) {
		p = room.at;
		room.at += bytes;
	}
	spin_unlock(&room.lock, RANK_ROOM);
	return p;
}

/* Forgets the range first: the addresses may soon belong to the program. */
void
room_unmap(void *p, size_t bytes)
{
	unsigned n = __atomic_load_n(&room.n, __ATOMIC_RELAXED);

	for (unsigned i = 0; i < n && i < RANGES; i++)
		if (is_in_range(i, (uint64_t)(uintptr_t)p))
			__atomic_store_n(
				&room.range[i].hi, 0, __ATOMIC_RELEASE);
	syscall(SYS_munmap, p, bytes);
}

bool
room_has(uint64_t address)
{
	unsigned n = __atomic_load_n(&room.n, __ATOMIC_RELAXED);

	for (unsigned i = 0; i < n && i < RANGES; i++)
		if (is_in_range(i, address))
			return true;
	return false;
}

void
room_hold(void)
{
	spin_lock(&room.lock, RANK_ROOM);
}

void
room_let_go(void)
{
	spin_unlock(&room.lock, RANK_ROOM);
}
