/* SPDX-License-Identifier: MIT */
#include "inproc/mem/sites.h"

#include <stddef.h>

#include "inproc/core/pages.h"

enum { CHUNK = 256, CHUNKS = 1 << 16, TRIES = 3 };

struct chunk {
	struct site site[CHUNK][2];
};

static struct chunk *chunks[CHUNKS]; /* atomic, made by any thread */
static uint32_t paths;  /* atomic, any thread: one more than the largest path */
static uint64_t forked; /* ticks of the fork; 0: never. Written in a child,
                         * before its threads */

static struct site *
make_site(uint32_t path, bool is_small)
{
	struct chunk **c = &chunks[path / CHUNK % CHUNKS], *there = NULL, *made;

	if (__atomic_load_n(c, __ATOMIC_ACQUIRE) == NULL) {
		made = room_take(sizeof(*made));
		if (made == NULL)
			return NULL;
		__atomic_compare_exchange_n(c, &there, made, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	return &(*c)->site[path % CHUNK][is_small];
}

struct site *
sites_at(uint32_t path, bool is_small)
{
	struct chunk *c = __atomic_load_n(
		&chunks[path / CHUNK % CHUNKS], __ATOMIC_ACQUIRE);

	return c == NULL ? NULL : &c->site[path % CHUNK][is_small];
}

uint32_t
sites_paths(void)
{
	return __atomic_load_n(&paths, __ATOMIC_ACQUIRE);
}

static bool
is_small(const struct block *b)
{
	return (b->state & BLOCK_SMALL) != 0;
}

static uint64_t
key_of(uint32_t path, bool is_small)
{
	return (uint64_t)path << 2 | (uint64_t)is_small << 1 | 1;
}

static void
lower(uint64_t *to, uint64_t value)
{
	uint64_t old = __atomic_load_n(to, __ATOMIC_RELAXED);

	while ((old == 0 || value < old) &&
		!__atomic_compare_exchange_n(to, &old, value, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void
raise_to(uint64_t *to, uint64_t value)
{
	uint64_t old = __atomic_load_n(to, __ATOMIC_RELAXED);

	while (value > old &&
		!__atomic_compare_exchange_n(to, &old, value, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void
add_to(uint64_t *to, uint64_t n)
{
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

/* Moves the sums of a slot to its site. */
static void
evict(struct self *s, struct self_site *slot)
{
	struct site *site =
		sites_at((uint32_t)(slot->key >> 2), (slot->key & 2) != 0);

	__atomic_store_n(&s->evictions, s->evictions + 1, __ATOMIC_RELEASE);
	add_to(&site->moved.blocks, slot->blocks);
	add_to(&site->moved.bytes, slot->bytes);
	add_to(&site->moved.freed_blocks, slot->freed_blocks);
	add_to(&site->moved.freed_bytes, slot->freed_bytes);
	lower(&site->moved.least, slot->least);
	raise_to(&site->moved.most, slot->most);
	__atomic_store_n(&slot->key, 0, __ATOMIC_RELEASE);
}

static bool
take_slot(struct self *s, struct self_site *slot, const struct block *b,
	uint64_t key)
{
	struct site *site = make_site(b->path, is_small(b));
	uint32_t most = sites_paths();

	if (site == NULL)
		return false;
	site->kind = b->kind;
	while (b->path >= most &&
		!__atomic_compare_exchange_n(&paths, &most, b->path + 1, true,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	if (slot->key != 0)
		evict(s, slot);
	__atomic_store_n(&s->used_sites,
		s->used_sites | (uint64_t)1 << (slot - s->site) / SELF_PART,
		__ATOMIC_RELAXED);
	*slot = (struct self_site){ .least = b->size };
	__atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
	return true;
}

/* Adds; there is one writer, and the drain reads. */
static void
count(uint64_t *to, uint64_t n)
{
	__atomic_store_n(to, *to + n, __ATOMIC_RELAXED);
}

/* Paths are numbered in order of appearance: recent ones get different
 * slots. */
static struct self_site *
slot_of(struct self *s, uint64_t key)
{
	return &s->site[(key >> 1) % SELF_SITES];
}

bool
sites_count(struct self *s, const struct block *b)
{
	uint64_t key = key_of(b->path, is_small(b));
	struct self_site *slot = slot_of(s, key);

	if (slot->key != key && !take_slot(s, slot, b, key))
		return false;
	count(&slot->blocks, b->weight);
	count(&slot->bytes, b->weight * b->size);
	if (b->size < slot->least)
		slot->least = b->size;
	if (b->size > slot->most)
		slot->most = b->size;
	return true;
}

bool
sites_is_inherited(const struct block *b)
{
	return b->born < forked || (b->state & BLOCK_INHERITED) != 0;
}

/* Adds to the thread's slot or the site, modulo 2^64: the total is right. */
static void
count_freed(struct self *s, const struct block *b, uint64_t new_blocks,
	uint64_t blocks, uint64_t bytes)
{
	uint64_t key = key_of(b->path, is_small(b));
	struct self_site *slot = s == NULL ? NULL : slot_of(s, key);
	struct site *site;

	if (sites_is_inherited(b))
		return;
	if (slot != NULL && slot->key == key) {
		count(&slot->blocks, new_blocks);
		count(&slot->freed_blocks, blocks);
		count(&slot->freed_bytes, bytes);
	} else if ((site = sites_at(b->path, is_small(b))) != NULL) {
		add_to(&site->moved.blocks, new_blocks);
		add_to(&site->moved.freed_blocks, blocks);
		add_to(&site->moved.freed_bytes, bytes);
	}
}

void
sites_count_dead(struct self *s, const struct block *b, bool is_back)
{
	uint64_t blocks = b->weight, bytes = b->weight * b->size;

	count_freed(
		s, b, 0, is_back ? -blocks : blocks, is_back ? -bytes : bytes);
}

void
sites_count_part(
	struct self *s, const struct block *b, int parts, uint64_t bytes)
{
	count_freed(s, b, parts == 2, parts == 0, bytes);
}

void
sites_forked(uint64_t now)
{
	uint32_t n = sites_paths();

	forked = now;
	for (struct self *s = self_all(); s != NULL; s = s->next)
		for (int i = 0; i < SELF_SITES; i++)
			s->site[i].key = 0;
	for (uint32_t path = 0; path < n; path++)
		for (int is_small = 0; is_small < 2; is_small++) {
			struct site *s = sites_at(path, is_small);

			if (s != NULL)
				*s = (struct site){ .kind = s->kind };
		}
}

static void
begin_sum(void)
{
	uint32_t n = sites_paths();

	for (uint32_t path = 0; path < n; path++)
		for (int is_small = 0; is_small < 2; is_small++) {
			struct site *s = sites_at(path, is_small);

			if (s != NULL)
				s->all = s->moved;
		}
}

static void
add_slot(const struct self_site *slot)
{
	uint64_t key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
	struct self_site *all;
	struct site *s;

	if (key == 0)
		return;
	s = sites_at((uint32_t)(key >> 2), (key & 2) != 0);
	if (s == NULL)
		return;
	all = &s->all;
	all->blocks += __atomic_load_n(&slot->blocks, __ATOMIC_RELAXED);
	all->bytes += __atomic_load_n(&slot->bytes, __ATOMIC_RELAXED);
	all->freed_blocks +=
		__atomic_load_n(&slot->freed_blocks, __ATOMIC_RELAXED);
	all->freed_bytes +=
		__atomic_load_n(&slot->freed_bytes, __ATOMIC_RELAXED);
	if (all->least == 0 || slot->least < all->least)
		all->least = slot->least;
	if (slot->most > all->most)
		all->most = slot->most;
}

static void
add_slots(struct self *s)
{
	uint64_t used = __atomic_load_n(&s->used_sites, __ATOMIC_ACQUIRE);

	for (; used != 0; used &= used - 1)
		for (int i = 0; i < SELF_PART; i++)
			add_slot(&s->site[__builtin_ctzll(used) * SELF_PART +
				i]);
}

static uint64_t
evictions(void)
{
	uint64_t n = 0;

	for (struct self *s = self_all(); s != NULL; s = s->next)
		n += __atomic_load_n(&s->evictions, __ATOMIC_ACQUIRE);
	return n;
}

/* Sums again if a slot was moved meanwhile: it would count twice, or not at
 * all. */
void
sites_sum(void)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = evictions();

		begin_sum();
		for (struct self *s = self_all(); s != NULL; s = s->next)
			add_slots(s);
		if (evictions() == before)
			break;
	}
}
