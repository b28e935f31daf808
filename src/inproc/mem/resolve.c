/* SPDX-License-Identifier: MIT */
#include "inproc/mem/resolve.h"

#include "inproc/core/pages.h"
#include "inproc/mem/loader.h"
#include "inproc/mem/modules.h"
#include "inproc/mem/names.h"
#include "inproc/mem/regions.h"
#include "inproc/mem/small.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"

enum { PAGE = 4096 };

static uint32_t number, first = 1; /* numbers below first were written by the
                                    * parent */

static int
tid_of(uint16_t thread)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->number == thread)
			return s->tid;
	return 0;
}

/* Writes the object's name; it may be set after the first samples. */
static void
write_name(struct outbuf *o, struct block *b)
{
	uint8_t state = __atomic_load_n(&b->state, __ATOMIC_RELAXED);

	if ((state & BLOCK_NAMED) == 0)
		return;
	__atomic_fetch_and(&b->state, (uint8_t)~BLOCK_NAMED, __ATOMIC_ACQUIRE);
	names_write(o, b->object, b->name);
}

static uint32_t
object(struct outbuf *o, struct block *b)
{
	struct mem_object r = { .path = b->path,
		.lo = b->lo,
		.size = b->size,
		.born = ticks_to_ns(b->born),
		.kind = b->kind,
		.weight = b->weight };
	uint64_t died = __atomic_load_n(&b->died, __ATOMIC_RELAXED);

	if (b->object >= first) {
		write_name(o, b);
		return b->object;
	}
	if (number < first)
		number = first - 1;
	b->object = r.object = ++number;
	r.died = died == 0 ? 0 : ticks_to_ns(died);
	r.tid = tid_of(b->thread);
	OUT_ADD(o, MEM_OBJECT, r);
	__atomic_fetch_or(&b->state, BLOCK_NAMED, __ATOMIC_RELAXED);
	write_name(o, b);
	return b->object;
}

static bool
in(uint64_t address, uint64_t lo, uint64_t hi)
{
	return address >= lo && address < hi;
}

static bool
of_thread(const struct self *s, uint64_t address, struct resolved *r)
{
	if (in(address, s->tls_lo, s->tls_hi))
		r->area = MEM_AREA_TLS;
	else if (in(address, s->stack_lo, s->stack_hi))
		r->area = MEM_AREA_STACK;
	else
		return false;
	r->ref = (uint32_t)s->tid;
	return true;
}

static bool
of_threads(const struct self *s, uint64_t address, struct resolved *r)
{
	if (s != NULL && of_thread(s, address, r))
		return true;
	for (s = self_all(); s != NULL; s = s->next)
		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) >=
				SELF_ALIVE &&
			of_thread(s, address, r))
			return true;
	return false;
}

/* Resolves an address that is in no index, or only in a dead block. */
static struct resolved
elsewhere(struct outbuf *o, const struct self *s, uint64_t address)
{
	struct resolved r = { MEM_AREA_UNKNOWN, 0 };
	struct region_hit region;

	if (of_threads(s, address, &r))
		return r;
	if (loader_is_own_data(address))
		return (struct resolved){ MEM_AREA_TOOL, 0 };
	r.ref = modules_at(address);
	if (r.ref != 0) {
		r.area = MEM_AREA_MODULE;
		return r;
	}
	if (room_has(address))
		return (struct resolved){ MEM_AREA_TOOL, 0 };
	region = regions_at(o, address);
	return (struct resolved){ region.area, region.number };
}

static bool
may_be_freed(enum mem_area area)
{
	return area == MEM_AREA_SMALL || area == MEM_AREA_MIXED ||
		area == MEM_AREA_ANON || area == MEM_AREA_UNKNOWN;
}

/* Returns the block whose malloc header contains the address. For a block with
 * pages of its own malloc writes the header in its first page, and touches that
 * page before the block is complete, but after its allocation began. */
static struct block *
with_header(uint64_t address, uint64_t ticks)
{
	uint64_t lo = (address | 15) + 1;
	struct index_hit hit;

	if (lo % PAGE != 16)
		return NULL;
	hit = index_at(&track.heap, lo, ticks);
	return hit.is_freed || hit.block == NULL || hit.block->lo != lo
		? NULL
		: hit.block;
}

/* Returns true if the heap uses this mapping: the C library's is known; that of
 * another allocator contains tracked blocks. */
static bool
is_heap(const struct block *mapping, uint64_t address, const struct block *near)
{
	if (mapping != NULL)
		return in(near->lo, mapping->lo, mapping->lo + mapping->size);
	return regions_are_one(address, near->lo);
}

/* Resolves a small untracked block by a similar tracked one. Returns false if
 * there is none, or the memory does not belong to the heap. */
static bool
of_small(struct outbuf *o, const struct block *mapping, uint64_t address,
	uint64_t ticks, struct resolved *r)
{
	bool is_mixed;
	struct block *b = small_like(address, ticks, &is_mixed);

	if (b == NULL ||
		(r->area != MEM_AREA_SMALL && !is_heap(mapping, address, b)))
		return false;
	r->area = is_mixed ? MEM_AREA_MIXED : MEM_AREA_SMALL;
	r->ref = object(o, b);
	return true;
}

static struct resolved
of_object(struct outbuf *o, struct block *b, uint64_t address, uint64_t ticks)
{
	struct resolved r = { MEM_AREA_OBJECT, 0 };
	bool is_mapping =
		b->kind == MEM_OBJECT_MAP || b->kind == MEM_OBJECT_BREAK;

	if (!is_mapping || !of_small(o, b, address, ticks, &r))
		r.ref = object(o, b);
	return r;
}

struct resolved
resolve(struct outbuf *o, const struct self *s, uint64_t address,
	uint64_t ticks)
{
	struct index *const order[] = { &track.pools, &track.heap,
		&track.maps };
	struct block *ghost = NULL, *near;
	struct resolved r;

	if (address >> 47 != 0)
		return (struct resolved){ MEM_AREA_KERNEL, 0 };
	for (int i = 0; i < 3; i++) {
		struct index_hit hit = index_at(order[i], address, ticks);

		if (hit.block != NULL && !hit.is_freed)
			return of_object(o, hit.block, address, ticks);
		if (ghost == NULL)
			ghost = hit.block;
	}
	near = with_header(address, ticks);
	if (near != NULL)
		return (struct resolved){ MEM_AREA_OBJECT, object(o, near) };
	r = elsewhere(o, s, address);
	if (r.area == MEM_AREA_SMALL || r.area == MEM_AREA_ANON)
		of_small(o, NULL, address, ticks, &r);
	if (ghost != NULL && may_be_freed(r.area))
		return (struct resolved){ MEM_AREA_FREED, object(o, ghost) };
	return r;
}

void
resolve_forked(void)
{
	first = number + 1;
}
