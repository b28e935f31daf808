/* SPDX-License-Identifier: MIT */
#include "inproc/mem/small.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inproc/mem/track.h"

enum {
	NEAR = 512 << 10, /* bytes on either side */
	PAGE = 4096,
	WORD = 8,
	ALIGN = 16,
	LEAST = 32,      /* bytes of a block of the C library */
	MOST = 64 << 20, /* also limits the free rest at the heap's end */
	BEHIND = 1024 + ALIGN,
	AHEAD = 2048,
	STEPS = 3,  /* sizes that must lead to each other */
	PIECES = 3, /* pages that these sizes may span */
	NEIGHBOURS = 6
};

/* Flag bits of a size word; SIZE_MAPPED: the block is a mapping. */
enum { SIZE_FLAGS = 7, SIZE_MAPPED = 2 };

uint64_t
small_size_of(uint64_t asked)
{
	uint64_t size = (asked + WORD + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);

	return size < LEAST ? LEAST : size;
}

/* Returns the size in a word; 0: it is not a size. */
static uint64_t
size_in(const unsigned char *bytes, size_t at)
{
	uint64_t word, size;

	memcpy(&word, bytes + at, sizeof(word));
	size = word & ~(uint64_t)SIZE_FLAGS;
	return (word & SIZE_MAPPED) != 0 || size % ALIGN != 0 || size < LEAST ||
			size > MOST
		? 0
		: size;
}

/* Returns true if the size words from here on lead to each other, as far as
 * visible. */
static bool
leads_on(const unsigned char *bytes, size_t n, size_t at)
{
	uint64_t size;

	for (int i = 0; i < STEPS && at + WORD <= n; i++, at += size) {
		size = size_in(bytes, at);
		if (size == 0)
			return false;
	}
	return true;
}

uint64_t
small_size_at(const unsigned char *bytes, size_t n, size_t at, size_t *lo)
{
	size_t word = at & ~(size_t)(ALIGN - 1);

	/* the word is the second half of an aligned pair */
	for (word += WORD; word >= ALIGN + WORD;) {
		uint64_t size;

		word -= ALIGN;
		if (word + WORD > n)
			continue;
		size = size_in(bytes, word);
		if (size != 0 && size <= BEHIND && word + size > at &&
			word + size + WORD <= n &&
			leads_on(bytes, n, word + size)) {
			*lo = word + WORD;
			return size;
		}
	}
	return 0;
}

/* Reads the accessible bytes around an address: *n bytes from *lo on. */
static void
read_around(uint64_t address, unsigned char *to, uint64_t *lo, size_t *n)
{
	uint64_t end = (address & ~(uint64_t)(ALIGN - 1)) + AHEAD, at;
	struct iovec local, remote[PIECES];
	ssize_t had;
	int pieces = 0;

	*lo = (address & ~(uint64_t)(ALIGN - 1)) - BEHIND;
	*n = 0;
	local = (struct iovec){ to, BEHIND + AHEAD };
	for (at = *lo; at < end && pieces < PIECES; pieces++) {
		uint64_t next = (at | (PAGE - 1)) + 1;

		next = next < end ? next : end;
		remote[pieces] =
			(struct iovec){ (void *)(uintptr_t)at, next - at };
		at = next;
	}
	had = process_vm_readv(
		getpid(), &local, 1, remote, (unsigned long)pieces, 0);
	if (had > 0)
		*n = (size_t)had;
}

struct search {
	uint64_t address, ticks;
	uint64_t size;   /* size in the C library's heap; 0: any */
	uint64_t offset; /* offset of the address in its block */
	int n;
	struct block *nearest[NEIGHBOURS];
};

/* Finds the size of the block that contains the address, if visible. */
static void
find_size(struct search *s)
{
	unsigned char bytes[BEHIND + AHEAD];
	uint64_t from;
	size_t n, lo;

	read_around(s->address, bytes, &from, &n);
	s->size = small_size_at(bytes, n, (size_t)(s->address - from), &lo);
	s->offset = s->size == 0 ? 0 : s->address - from - lo;
}

static uint64_t
distance(const struct block *b, uint64_t address)
{
	return b->lo > address ? b->lo - address : address - b->lo;
}

static bool
is_like(const struct search *s, const struct block *b)
{
	return (b->state & (BLOCK_SMALL | BLOCK_OUT)) == BLOCK_SMALL &&
		block_is_alive(b, s->ticks) &&
		(s->size == 0 ||
			(small_size_of(b->size) == s->size &&
				b->size > s->offset));
}

static void
consider(void *arg, struct block *b)
{
	struct search *s = arg;
	int at = s->n;

	if (!is_like(s, b))
		return;
	while (at > 0 &&
		distance(b, s->address) <
			distance(s->nearest[at - 1], s->address))
		at--;
	if (at == NEIGHBOURS)
		return;
	s->n += s->n < NEIGHBOURS;
	memmove(&s->nearest[at + 1], &s->nearest[at],
		(size_t)(s->n - at - 1) * sizeof(*s->nearest));
	s->nearest[at] = b;
}

struct block *
small_like(uint64_t address, uint64_t ticks, bool *is_mixed)
{
	struct search s = { .address = address, .ticks = ticks };
	uint64_t lo = address > NEAR ? address - NEAR : 0;

	*is_mixed = false;
	index_within(&track.heap, lo, address + NEAR, consider, &s);
	if (s.n == 0)
		return NULL;
	find_size(&s);
	if (s.size != 0) {
		s.n = 0;
		index_within(&track.heap, lo, address + NEAR, consider, &s);
	}
	for (int i = 1; i < s.n; i++)
		*is_mixed |= s.nearest[i]->path != s.nearest[0]->path;
	return s.n == 0 ? NULL : s.nearest[0];
}
