/* SPDX-License-Identifier: MIT */
#include "inproc/mem/heap.h"

#include <stddef.h>

#include "inproc/mem/sites.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"

enum {
	NS_MS = 1000000,
	SITES_FIRST = 20 * NS_MS,
	SITES_LAST = 1000 * NS_MS,
	COST = 300, /* sums may take 1/COST of the CPU time */
	IDLE = 10,  /* or 1/(IDLE * COST) of the real time */
	BATCHES = 1024
};

/* Blocks that are out of their index, in batches to be reused; the last batch
 * has all blocks beyond BATCHES. They are linked while they are in the cache,
 * so that no thread must touch each of them again. */
struct rest {
	struct block *batch[BATCHES];
	unsigned n, last; /* batches, and blocks of the last batch */
};

/* Used by the drain only. */
static struct {
	struct block *dying; /* dead blocks that are still in an index */
	struct rest rest[2]; /* removed blocks that rest until threads that were
	                      * busy have moved on */
	unsigned young;      /* index of the rest that this round fills */
	uint64_t next_sites, step;   /* ns */
	uint64_t next_sum, next_cpu; /* earliest times of the next sum */
	struct mem_heap now;
	uint64_t told_live;
} heap;

static struct index *
index_of(const struct block *b)
{
	return b->kind == MEM_OBJECT_HEAP    ? &track.heap
		: b->kind == MEM_OBJECT_POOL ? &track.pools
					     : &track.maps;
}

static void
take_dead(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next) {
		struct block *b = __atomic_exchange_n(
				     &s->dead, NULL, __ATOMIC_ACQUIRE),
			     *next;

		for (; b != NULL; b = next) {
			next = b->dead;
			b->dead = heap.dying;
			heap.dying = b;
		}
	}
}

static void
lay_down(struct rest *r, struct block *b)
{
	if (r->n == 0 || (r->last == TRACK_BATCH && r->n < BATCHES)) {
		r->batch[r->n++] = NULL;
		r->last = 0;
	}
	b->dead = r->batch[r->n - 1];
	r->batch[r->n - 1] = b;
	r->last++;
}

static void
reuse_all(struct rest *r)
{
	while (r->n > 0)
		track_reuse(r->batch[--r->n]);
}

/* Returns true if every thread that was busy then has moved on. */
static bool
have_moved_on(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if ((s->was_busy & 1) != 0 && s->state == SELF_ALIVE &&
			__atomic_load_n(&s->busy, __ATOMIC_ACQUIRE) ==
				s->was_busy)
			return false;
	return true;
}

static void
note_busy(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		s->was_busy = __atomic_load_n(&s->busy, __ATOMIC_ACQUIRE);
}

/* Claims a block that no sample needs any more. Returns true if we may remove
 * it. */
static bool
claim(struct block *b, uint64_t before)
{
	uint64_t died = __atomic_load_n(&b->died, __ATOMIC_RELAXED);

	return died != 0 && died < before &&
		__atomic_compare_exchange_n(&b->died, &died, BLOCK_CLAIMED,
			false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Returns true if the block stays in the list; a revived block leaves the
 * list. */
static bool
stays(struct block *b)
{
	if (__atomic_load_n(&b->died, __ATOMIC_RELAXED) != 0)
		return true;
	__atomic_fetch_and(&b->state, (uint8_t)~BLOCK_LISTED, __ATOMIC_SEQ_CST);
	/* The block may have died again before, and still be expected in the
	 * list. */
	return __atomic_load_n(&b->died, __ATOMIC_SEQ_CST) != 0 &&
		(__atomic_fetch_or(&b->state, BLOCK_LISTED, __ATOMIC_SEQ_CST) &
			BLOCK_LISTED) == 0;
}

/* Claims all blocks first, so that one walk of a page's list removes all
 * claimed blocks of the page. */
static void
sweep(uint64_t before)
{
	struct block *b = heap.dying, *going = NULL, *kept = NULL, *next;

	for (; b != NULL; b = next) {
		next = b->dead;
		if (claim(b, before)) {
			b->dead = going;
			going = b;
		} else if (stays(b)) {
			b->dead = kept;
			kept = b;
		}
	}
	for (b = going; b != NULL; b = next) {
		next = b->dead;
		if ((b->state & BLOCK_OUT) == 0)
			index_sweep(index_of(b), b);
		lay_down(&heap.rest[heap.young], b);
	}
	heap.dying = kept;
}

/* An entry rests for a whole round: stores of a thread that began to walk a
 * list before the removal are visible by then. */
void
heap_tick(uint64_t before)
{
	take_dead();
	if (have_moved_on()) {
		heap.young ^= 1;
		reuse_all(&heap.rest[heap.young]);
		note_busy();
	}
	sweep(before);
}

/* Changes with each block that comes or goes, and with parts of blocks: an
 * munmap() may remove bytes of a block that lives on. The factors differ
 * because numbers also go back: a failed mremap() takes back the free that it
 * counted, and a split may then add as much elsewhere. */
static uint64_t
state_of(const struct site *s)
{
	return s->all.blocks * UINT64_C(0x9e3779b97f4a7c15) + s->all.bytes +
		s->all.freed_blocks * UINT64_C(0xc2b2ae3d27d4eb4f) +
		s->all.freed_bytes * UINT64_C(0x165667b19e3779f9);
}

static void
write_site(struct outbuf *o, uint32_t path, bool is_small, struct site *s)
{
	struct mem_site r = { .path = path,
		.kind = s->kind,
		.is_small = is_small,
		.time = heap.now.time,
		.blocks = s->all.blocks,
		.bytes = s->all.bytes,
		.freed_blocks = s->all.freed_blocks,
		.freed_bytes = s->all.freed_bytes,
		.least = s->all.least,
		.most = s->all.most,
		.peak_bytes = s->peak_bytes };

	if (s->told == state_of(s))
		return;
	s->told = state_of(s);
	OUT_ADD(o, MEM_SITE, r);
}

static void
each_site(void (*call)(uint32_t path, bool is_small, struct site *s))
{
	uint32_t n = sites_paths();

	for (uint32_t path = 0; path < n; path++)
		for (int is_small = 0; is_small < 2; is_small++) {
			struct site *s = sites_at(path, is_small);

			if (s != NULL && s->all.blocks != 0)
				call(path, is_small, s);
		}
}

/* Frees may be counted before their allocations. */
static uint64_t
live_bytes(const struct site *s)
{
	return s->all.bytes > s->all.freed_bytes
		? s->all.bytes - s->all.freed_bytes
		: 0;
}

static void
add_up(uint32_t path, bool is_small, struct site *s)
{
	uint64_t live = live_bytes(s);

	(void)path;
	(void)is_small;
	if (s->kind != MEM_OBJECT_HEAP) {
		heap.now.mapped_bytes += live;
		return;
	}
	heap.now.live_bytes += live;
	if (s->all.blocks > s->all.freed_blocks)
		heap.now.live_blocks += s->all.blocks - s->all.freed_blocks;
}

static void
note_peak(uint32_t path, bool is_small, struct site *s)
{
	(void)path;
	(void)is_small;
	s->peak_bytes = live_bytes(s);
}

static struct outbuf *to;

static void
write_one(uint32_t path, bool is_small, struct site *s)
{
	write_site(to, path, is_small, s);
}

static bool
is_due(bool is_last)
{
	if (!is_last && heap.now.time < heap.next_sites)
		return false;
	if (heap.step == 0)
		heap.step = SITES_FIRST;
	heap.next_sites = heap.now.time + heap.step;
	if (heap.step < SITES_LAST)
		heap.step *= 2;
	return true;
}

/* Plans by the cost of the last sum. On a busy machine the process gets only a
 * small part of the elapsed time. */
static void
plan_sum(uint64_t took)
{
	heap.next_sum = ticks_ns() + IDLE * COST * took;
	heap.next_cpu = ticks_of_clock(CLOCK_PROCESS_CPUTIME_ID) + COST * took;
}

void
heap_write(struct outbuf *o, bool is_last)
{
	uint64_t peak = heap.now.peak_bytes, begun;

	heap.now.time = ticks_ns();
	if (!is_last && heap.now.time < heap.next_sum &&
		ticks_of_clock(CLOCK_PROCESS_CPUTIME_ID) < heap.next_cpu)
		return;
	begun = ticks_cpu_ns(); /* CPU time: other threads may run meanwhile */
	heap.now.live_bytes = heap.now.live_blocks = heap.now.mapped_bytes = 0;
	sites_sum();
	each_site(add_up);
	if (heap.now.live_bytes > peak) {
		heap.now.peak_bytes = heap.now.live_bytes;
		heap.now.peak_time = heap.now.time;
		each_site(note_peak);
	}
	if (heap.now.live_bytes + heap.now.mapped_bytes != heap.told_live) {
		heap.told_live = heap.now.live_bytes + heap.now.mapped_bytes;
		OUT_ADD(o, MEM_HEAP, heap.now);
	}
	if (is_due(is_last)) {
		to = o;
		each_site(write_one);
	}
	plan_sum(ticks_cpu_ns() - begun);
}

void
heap_forked(void)
{
	uint64_t now = ticks_now();

	track.heap.since = track.maps.since = track.pools.since = now;
	sites_forked(now);
	heap.now = (struct mem_heap){ 0 };
	heap.told_live = 0;
	heap.step = heap.next_sites = heap.next_sum = heap.next_cpu = 0;
}
