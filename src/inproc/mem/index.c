/* SPDX-License-Identifier: MIT */
#include "inproc/mem/index.h"

#include <sched.h>
#include <stddef.h>

#include "inproc/core/pages.h"

static struct index_node *
node_of(struct index *ix, uint64_t address)
{
	return __atomic_load_n(
		&ix->node[address >> INDEX_NODE_BITS], __ATOMIC_ACQUIRE);
}

static unsigned
page_of(uint64_t address)
{
	return (unsigned)(address >> INDEX_PAGE_BITS) & (INDEX_NODE_PAGES - 1);
}

static struct index_node *
make_node(struct index *ix, uint64_t address)
{
	struct index_node *n = room_map(sizeof(*n)), *there = NULL;

	if (n == NULL)
		return NULL;
	if (__atomic_compare_exchange_n(&ix->node[address >> INDEX_NODE_BITS],
		    &there, n, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return n;
	room_unmap(n, sizeof(*n)); /* another thread was faster */
	return there;
}

static void
set_bit(uint64_t *word, unsigned bit)
{
	uint64_t mask = (uint64_t)1 << bit;

	if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) == 0)
		__atomic_fetch_or(word, mask, __ATOMIC_SEQ_CST);
}

static void
set_page(struct index_node *n, unsigned page)
{
	set_bit(&n->page[page / 64], page % 64);
	set_bit(&n->sum[page / 64 / 64], page / 64 % 64);
}

/* Called after the push, so that a thread that saw the count sees the block. */
static void
note_start(uint64_t *starts, uint64_t address)
{
	uint64_t was = __atomic_load_n(starts, __ATOMIC_RELAXED), now;

	do
		now = (was | index_start_bit(address)) +
			((uint64_t)1 << INDEX_STARTS);
	while (!__atomic_compare_exchange_n(
		starts, &was, now, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

static void
grow_longest(struct index *ix, uint64_t size)
{
	uint64_t old = __atomic_load_n(&ix->longest, __ATOMIC_RELAXED);

	while (size > old &&
		!__atomic_compare_exchange_n(&ix->longest, &old, size, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

bool
index_add(struct index *ix, struct block *b)
{
	struct index_node *n;
	unsigned page = page_of(b->lo);
	struct block *first;

	if (b->lo >> 47 != 0)
		return false;
	n = node_of(ix, b->lo);
	if (n == NULL && (n = make_node(ix, b->lo)) == NULL)
		return false;
	grow_longest(ix, b->size);
	first = __atomic_load_n(&n->first[page], __ATOMIC_RELAXED);
	do
		b->next = first;
	while (!__atomic_compare_exchange_n(&n->first[page], &first, b, true,
		__ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	note_start(&n->starts[page], b->lo);
	set_page(n, page);
	return true;
}

static struct block *
first_of(struct index_node *n, unsigned page)
{
	return __atomic_load_n(&n->first[page], __ATOMIC_ACQUIRE);
}

static struct block *
next_of(const struct block *b)
{
	return __atomic_load_n(&b->next, __ATOMIC_ACQUIRE);
}

/* Leaves only the bits of live blocks, unless a block was added or revived
 * meanwhile. was: the value from before the list was read; now: its bits. */
static void
forget_starts(uint64_t *starts, uint64_t was, uint64_t now)
{
	now |= was & UINT64_MAX << INDEX_STARTS;
	if (now != was)
		__atomic_compare_exchange_n(starts, &was, now, false,
			__ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Returns the live block that begins at the address. Where a tracked block
 * died, untracked blocks come and go: after a search that finds nothing the
 * start bit is cleared, so that later calls return without a search. */
static struct block *
find_start(struct index_node *n, unsigned page, uint64_t address)
{
	uint64_t was = __atomic_load_n(&n->starts[page], __ATOMIC_SEQ_CST);
	uint64_t bits = 0;

	for (struct block *b = first_of(n, page); b != NULL; b = next_of(b)) {
		if (page_of(b->lo) != page)
			return NULL; /* removed, and reused elsewhere */
		if (__atomic_load_n(&b->died, __ATOMIC_SEQ_CST) != 0)
			continue;
		if (b->lo == address)
			return b;
		bits |= index_start_bit(b->lo);
	}
	forget_starts(&n->starts[page], was, bits);
	return NULL;
}

struct block *
index_starting(struct index *ix, uint64_t address)
{
	struct index_node *n = address >> 47 == 0 ? node_of(ix, address) : NULL;

	return n == NULL ? NULL : find_start(n, page_of(address), address);
}

void
index_lives_again(struct index *ix, const struct block *b)
{
	note_start(&node_of(ix, b->lo)->starts[page_of(b->lo)], b->lo);
}

enum { LOOKED_AT = 4 /* entries to examine for a revival */ };

static bool
fits(const struct block *old, const struct block *b)
{
	return old->path == b->path && old->size <= b->size &&
		old->weight == b->weight &&
		((__atomic_load_n(&old->state, __ATOMIC_RELAXED) ^ b->state) &
			BLOCK_SMALL) == 0;
}

struct block *
index_revive(struct index *ix, const struct block *made)
{
	struct index_node *n;
	struct block *b = NULL;

	/* without its start bit, untracked blocks were there meanwhile */
	if (index_may_start(ix, made->lo) &&
		(n = node_of(ix, made->lo)) != NULL)
		b = first_of(n, page_of(made->lo));
	for (int i = 0; b != NULL && i < LOOKED_AT; i++, b = next_of(b)) {
		uint64_t died = __atomic_load_n(&b->died, __ATOMIC_RELAXED);

		if (b->lo != made->lo || b->born < ix->since || !fits(b, made))
			continue;
		if (died <= BLOCK_CLAIMED ||
			!__atomic_compare_exchange_n(&b->died, &died, 0, false,
				__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return NULL;
		index_lives_again(ix, b);
		b->size = made->size;
		grow_longest(ix, made->size);
		return b;
	}
	return NULL;
}

/* Returns the last page with a list at or before this one, or -1. */
static int
last_page(const struct index_node *n, int page)
{
	int word = page / 64, sum;
	uint64_t bits = __atomic_load_n(&n->page[word], __ATOMIC_RELAXED) &
		(UINT64_MAX >> (63 - page % 64));

	if (bits != 0)
		return word * 64 + 63 - __builtin_clzll(bits);
	for (sum = word / 64; sum >= 0; sum--) {
		uint64_t words =
			__atomic_load_n(&n->sum[sum], __ATOMIC_RELAXED);

		if (sum == word / 64) /* only words before `word` */
			words &= ((uint64_t)1 << word % 64) - 1;
		for (; words != 0; words &= ~((uint64_t)1 << word % 64)) {
			word = sum * 64 + 63 - __builtin_clzll(words);
			bits = __atomic_load_n(
				&n->page[word], __ATOMIC_RELAXED);
			if (bits != 0)
				return word * 64 + 63 - __builtin_clzll(bits);
		}
	}
	return -1;
}

/* A walk over pages with lists, downward from an address. */
struct walk {
	uint64_t from, least; /* pages below least cannot reach the address */
	int64_t node;
	int page;
};

static struct walk
walk_from(const struct index *ix, uint64_t address)
{
	uint64_t far = __atomic_load_n(&ix->longest, __ATOMIC_RELAXED);
	uint64_t lo = address > far ? address - far : 0;

	return (struct walk){ .from = address,
		.least = lo >> INDEX_PAGE_BITS,
		.node = (int64_t)(address >> INDEX_NODE_BITS),
		.page = (int)page_of(address) };
}

/* Returns the list of the next page, or NULL at the end. */
static struct block *
walk_next(struct index *ix, struct walk *w)
{
	const uint64_t pages = INDEX_NODE_PAGES;

	for (; w->node >= 0; w->node--, w->page = INDEX_NODE_PAGES - 1) {
		struct index_node *n =
			__atomic_load_n(&ix->node[w->node], __ATOMIC_ACQUIRE);

		if (((uint64_t)w->node + 1) * pages <= w->least)
			return NULL;
		while (n != NULL && w->page >= 0) {
			struct block *b;

			w->page = last_page(n, w->page);
			if (w->page < 0)
				break;
			if ((uint64_t)w->node * pages + (uint64_t)w->page <
				w->least)
				return NULL;
			b = first_of(n, (unsigned)w->page--);
			if (b != NULL)
				return b;
		}
	}
	return NULL;
}

static struct block *
find_below(struct index *ix, uint64_t address)
{
	struct walk w = walk_from(ix, address);
	struct block *best = NULL, *b;

	while (best == NULL && (b = walk_next(ix, &w)) != NULL)
		for (; b != NULL; b = next_of(b))
			if (b->lo <= address &&
				__atomic_load_n(&b->died, __ATOMIC_RELAXED) ==
					0 &&
				(best == NULL || b->lo > best->lo))
				best = b;
	return best;
}

/* Repeats the search if the drain cleared bits of pages meanwhile: if a block
 * is added to such a page at that time, the page's bit is missing for a moment.
 */
struct block *
index_below(struct index *ix, uint64_t address)
{
	struct block *b = NULL;
	uint32_t before;

	if (address >> 47 != 0)
		return NULL;
	for (;;) {
		before = __atomic_load_n(&ix->emptied, __ATOMIC_SEQ_CST);
		if ((before & 1) == 0)
			b = find_below(ix, address);
		else
			sched_yield();
		if ((before & 1) == 0 &&
			__atomic_load_n(&ix->emptied, __ATOMIC_SEQ_CST) ==
				before)
			return b;
	}
}

static bool
covers(const struct block *b, uint64_t address)
{
	return address - b->lo < b->size;
}

/* Compares blocks that were alive: the nearest start wins, then the
 * youngest. */
static bool
is_nearer(const struct block *b, const struct block *best)
{
	return best == NULL || b->lo > best->lo ||
		(b->lo == best->lo && b->born > best->born);
}

struct search {
	uint64_t address, time;
	bool nests;
	struct block *best, *ghost; /* alive at that time; dead at that time */
};

static void
consider(struct search *s, struct block *b)
{
	if (b->lo > s->address || b->born > s->time ||
		(s->nests && !covers(b, s->address)))
		return;
	if (block_is_alive(b, s->time)) {
		if (is_nearer(b, s->best))
			s->best = b;
	} else if (covers(b, s->address) &&
		(s->ghost == NULL || b->died > s->ghost->died)) {
		s->ghost = b;
	}
}

struct index_hit
index_at(struct index *ix, uint64_t address, uint64_t time)
{
	struct search s = { address, time, ix->nests, NULL, NULL };
	struct block *b;
	struct walk w;

	if (address >> 47 != 0)
		return (struct index_hit){ NULL, false };
	w = walk_from(ix, address);
	while (s.best == NULL && (b = walk_next(ix, &w)) != NULL)
		for (; b != NULL; b = next_of(b))
			consider(&s, b);
	if (s.best != NULL && covers(s.best, address))
		return (struct index_hit){ s.best, false };
	return (struct index_hit){ s.ghost, s.ghost != NULL };
}

void
index_within(struct index *ix, uint64_t lo, uint64_t hi,
	void (*each)(void *arg, struct block *b), void *arg)
{
	struct block *b;
	struct walk w;

	if (lo >= hi || (hi - 1) >> 47 != 0)
		return;
	w = walk_from(ix, hi - 1);
	w.least = lo >> INDEX_PAGE_BITS;
	while ((b = walk_next(ix, &w)) != NULL)
		for (; b != NULL; b = next_of(b))
			each(arg, b);
}

/* Returns false if b is no longer the first, since a thread pushed
 * meanwhile. */
static bool
take_out(struct index_node *n, unsigned page, struct block *last,
	struct block *b)
{
	struct block *was = b;

	if (last != NULL)
		__atomic_store_n(&last->next, b->next, __ATOMIC_RELEASE);
	else if (!__atomic_compare_exchange_n(&n->first[page], &was, b->next,
			 false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return false;
	__atomic_fetch_or(&b->state, BLOCK_OUT, __ATOMIC_RELAXED);
	return true;
}

/* Returns true if b is claimed and still in the list. */
static bool
is_going(const struct block *b)
{
	return __atomic_load_n(&b->died, __ATOMIC_RELAXED) == BLOCK_CLAIMED &&
		(__atomic_load_n(&b->state, __ATOMIC_RELAXED) & BLOCK_OUT) == 0;
}

void
index_sweep(struct index *ix, const struct block *of)
{
	struct index_node *n = node_of(ix, of->lo);
	unsigned page = page_of(of->lo);
	struct block *last = NULL, *b = first_of(n, page), *next;

	while (b != NULL) {
		next = next_of(b);
		if (!is_going(b)) {
			last = b;
		} else if (!take_out(n, page, last, b)) {
			last = NULL;
			next = first_of(n, page);
		}
		b = next;
	}
	find_start(n, page, UINT64_MAX); /* updates the start bits; no block
	                                  * begins there */
	if (first_of(n, page) != NULL)
		return;
	__atomic_fetch_add(&ix->emptied, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_and(&n->page[page / 64], ~((uint64_t)1 << page % 64),
		__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&n->first[page], __ATOMIC_SEQ_CST) != NULL)
		set_page(n, page);
	__atomic_fetch_add(&ix->emptied, 1, __ATOMIC_SEQ_CST);
}
