/* SPDX-License-Identifier: MIT */
#include "inproc/mem/track.h"

#include "inproc/code/paths.h"
#include "inproc/code/walk.h"
#include "inproc/core/allocated.h"
#include "inproc/core/assert.h"
#include "inproc/core/pages.h"
#include "inproc/core/spin.h"
#include "inproc/mem/sites.h"
#include "inproc/mem/ticks.h"
#include "mem/wire.h"

/* min_bytes is 0 until the real functions are known: every call is slow. */
struct track track;

/* Batches of free blocks. The first blocks of batches are linked by `next`, the
 * blocks of a batch by `dead`: taking or giving a batch touches only its first
 * block. */
static struct {
	struct spin lock; /* RANK_SPARE; threads only try it */
	struct block *list;
} spare;

static uint64_t
random_of(struct self *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random;
}

/* Returns -ln(u) for a random u in (0, 1], with an error of 1 %. */
static double
exponential(struct self *s)
{
	uint64_t r = random_of(s) >> 11 | 1; /* 53 bits */
	int lead = 63 - __builtin_clzll(r);
	double x = (double)r / (double)((uint64_t)1 << lead) - 1; /* [0, 1) */
	double log2 = lead - 53 + x * (1.3465 - 0.3465 * x);

	return log2 < 0 ? -log2 * 0.6931471805599453 : 0;
}

static void
set_until(struct self *s)
{
	if (track.small_bytes == 0) {
		self_tls.until = INT64_MAX / 2;
		return;
	}
	self_tls.until = (int64_t)(exponential(s) * (double)track.small_bytes);
}

/* Returns e^-x for x >= 0, with nine digits. */
static double
falling(double x)
{
	double y;

	if (x > 40)
		return 0;
	/* series for x / 4096, then squared 12 times */
	x /= 4096;
	y = 1 - x * (1 - x / 2 * (1 - x / 3));
	for (int i = 0; i < 12; i++)
		y *= y;
	return y;
}

/* Returns how many blocks of this size one sample stands for: 1 / (1 - e^-x).
 * Fractions are rounded at random, so that sums are right. */
static uint16_t
weight_of(struct self *s, size_t size)
{
	double x = (double)size / (double)track.small_bytes;
	double w = x < 1e-3 ? 1 / x + 0.5 : 1 / (1 - falling(x));

	w += (double)(random_of(s) >> 11) / ((uint64_t)1 << 53);
	return w > UINT16_MAX ? UINT16_MAX : (uint16_t)w;
}

/* Returns true if the block is sampled. Draws a thread's first distance. */
static bool
is_sampled(struct self *s, size_t size)
{
	if (!self_tls.has_drawn) {
		self_tls.has_drawn = true;
		set_until(s);
		self_tls.until -= (int64_t)size;
	}
	if (self_tls.until >= 0)
		return false;
	set_until(s);
	return track.small_bytes != 0 && size != 0;
}

void
track_begin(struct track_new *t, size_t size)
{
	struct self *s;
	bool is_first = self_tls.self == NULL;

	*t = (struct track_new){ NULL, 0, 1, 0 };
	if (!track.is_on || self_tls.is_gone) {
		self_tls.until = INT64_MAX / 2;
		return;
	}
	if (is_first)
		self_tls.is_internal = true;
	s = self_get();
	if (is_first)
		self_tls.is_internal = false;
	if (s == NULL)
		return;
	if (size < track.min_bytes) {
		if (!is_sampled(s, size))
			return;
		t->weight = weight_of(s, size);
		t->state = BLOCK_SMALL;
	}
	t->self = s;
	t->born = ticks_now();
}

static void
take_batch(struct self *s)
{
	struct block *b;

	if (spin_try(&spare.lock, RANK_SPARE)) {
		s->free = spare.list;
		if (spare.list != NULL)
			spare.list = spare.list->next;
		spin_unlock(&spare.lock, RANK_SPARE);
	}
	if (s->free != NULL)
		return;
	b = room_take(TRACK_BATCH * sizeof(*b));
	for (int i = 0; b != NULL && i < TRACK_BATCH; i++, b++) {
		b->dead = s->free;
		s->free = b;
	}
}

static struct block *
new_block(struct self *s)
{
	struct block *b = s->free;

	if (b == NULL) {
		take_batch(s);
		b = s->free;
	}
	if (b == NULL)
		self_lose(&s->no_memory);
	else
		s->free = b->dead;
	WEFT_ASSERT(block_is_new_within_the_tables, (s->busy & 1) != 0);
	WEFT_ASSERT(free_block_is_new_or_out,
		b == NULL || b->state == 0 ||
			((b->state & BLOCK_OUT) != 0 &&
				b->died == BLOCK_CLAIMED));
	if (s->free != NULL)
		__builtin_prefetch(s->free, 1);
	return b;
}

void
track_reuse(struct block *batch)
{
	WEFT_ASSERT(block_is_used_again_by_the_drain, held_is(RANK_DRAIN));
	spin_lock(&spare.lock, RANK_SPARE);
	batch->next = spare.list;
	spare.list = batch;
	spin_unlock(&spare.lock, RANK_SPARE);
}

int
track_without_us(uint64_t *path, int n)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (!track_is_ours(path[i]))
			path[kept++] = path[i];
	return kept;
}

/* Removes the same addresses as track_without_us(), and adds the others to the
 * sums in m, which already have the properties of the path. The check is
 * computed differently from the hash. */
static int
add_up(uint64_t *path, int n, struct self_memo *m)
{
	uint64_t hash = m->hash, sum = 0;
	int kept = 0;

	for (int i = 0; i < n; i++) {
		uint64_t at = path[i];

		if (track_is_ours(at))
			continue;
		path[kept++] = at;
		hash = paths_hash_add(hash, at);
		sum = (sum << 7 | sum >> 57) + at;
	}
	m->hash = hash;
	m->check = (uint32_t)(sum ^ sum >> 32);
	return kept;
}

/* Returns the number of a path, from the thread's recent ones if possible. */
static uint32_t
number_of(struct self *s, uint64_t *to, int n, bool cut)
{
	uint32_t epoch = __atomic_load_n(&track.epoch, __ATOMIC_RELAXED);
	struct self_memo m = { .hash = paths_hash_begin(cut, epoch) }, *memo;
	const struct path *path;

	n = add_up(to, n, &m);
	if (n == 0) {
		__atomic_fetch_add(&s->no_path, 1, __ATOMIC_RELAXED);
		return 0;
	}
	memo = &s->memo[(m.hash >> 32) % SELF_MEMOS];
	if (memo->number != 0 && memo->hash == m.hash && memo->check == m.check)
		return memo->number;
	path = paths_get(m.hash, to, n, cut, epoch);
	if (path == NULL)
		return 0;
	m.number = path->number;
	*memo = m;
	return path->number;
}

/* Returns the number of the program's call path to a hook's frame. */
static uint32_t
path_here(struct self *s, const void *frame)
{
	const uint64_t *f = frame;
	uint64_t to[MEM_PATH_MAX], sp = (uint64_t)(uintptr_t)f;
	struct stack stack = { sp, s->stack_hi, f };
	bool cut;
	int n;

	if (sp < s->stack_lo || sp >= s->stack_hi)
		stack.hi = (sp | 4095) + 1; /* a stack that the program made
		                             * itself */
	n = walk_callers(&stack,
		(struct frame){ .ip = f[1], .sp = sp + 16, .bp = f[0] }, to,
		MEM_PATH_MAX, &cut, &s->lately);
	return number_of(s, to, n, cut);
}

static void
enter_new(struct self *s, struct index *ix, const struct block *made)
{
	struct block *b = new_block(s);

	if (b == NULL)
		return;
	*b = *made;
	if (!index_add(ix, b))
		self_lose(&s->no_memory);
}

void
track_end(struct track_new *t, struct index *ix, uint8_t kind, const void *p,
	size_t size, const void *frame)
{
	struct self *s = t->self;
	struct block made = { .lo = (uint64_t)(uintptr_t)p,
		.size = size,
		.born = t->born,
		.weight = t->weight,
		.kind = kind,
		.state = t->state };

	if (s == NULL || p == NULL || size == 0 || !self_enter(s))
		return;
	made.thread = s->number;
	made.path = path_here(s, frame);
	sites_count(s, &made);
	if (index_revive(ix, &made) == NULL)
		enter_new(s, ix, &made);
	self_leave(s);
}

struct block *
track_live(struct index *ix, const void *p)
{
	struct self *s = self_tls.self;
	struct block *b;

	if (s == NULL || !self_enter(s))
		return NULL;
	b = index_starting(ix, (uint64_t)(uintptr_t)p);
	self_leave(s);
	return b;
}

/* Returns the block around the address, or NULL. Call between self_enter() and
 * self_leave(). */
static struct block *
covering(struct index *ix, const void *p)
{
	uint64_t at = (uint64_t)(uintptr_t)p;
	struct block *b = index_below(ix, at);

	return b != NULL && at - b->lo < b->size ? b : NULL;
}

struct block *
track_covering(struct index *ix, const void *p)
{
	struct self *s = self_tls.self;
	struct block *b;

	if (s == NULL || !self_enter(s))
		return NULL;
	b = covering(ix, p);
	self_leave(s);
	return b;
}

uint32_t
track_path(struct index *ix, const void *p)
{
	struct self *s = self_tls.self;
	const struct block *b;
	uint32_t path;

	if (s == NULL || !self_enter(s))
		return ALLOCATED_UNSEEN;
	b = covering(ix, p);
	path = b == NULL ? 0 : b->path;
	self_leave(s);
	return path;
}

static void
kill(struct self *s, struct block *b)
{
	__atomic_store_n(&b->died, ticks_now(), __ATOMIC_RELAXED);
	sites_count_dead(s, b, false);
}

struct block *
track_dying(struct index *ix, const void *p)
{
	struct self *s = self_tls.self;
	struct block *b;

	/* A thread past its end still frees; it needs no busy mark, since
	 * entries rest for two rounds of the drain before they are reused. */
	if (s != NULL && !self_enter(s))
		return NULL;
	b = index_starting(ix, (uint64_t)(uintptr_t)p);
	if (b != NULL)
		kill(s, b);
	if (s != NULL)
		self_leave(s);
	return b;
}

void
track_undying(struct block *b, const struct block *was)
{
	struct self *s = self_tls.self;
	bool is_ours = s != NULL && b != NULL && self_enter(s);
	uint64_t died = was->died;
	struct index *ix;

	if (b == NULL)
		return;
	sites_count_dead(is_ours ? s : NULL, was, true);
	ix = was->kind == MEM_OBJECT_HEAP ? &track.heap : &track.maps;
	if (__atomic_compare_exchange_n(&b->died, &died, 0, false,
		    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		index_lives_again(ix, was);
	} else if (is_ours) {
		struct block again = *was;

		again.died = 0;
		again.state &= BLOCK_SMALL | BLOCK_INHERITED;
		enter_new(s, ix, &again);
	}
	if (is_ours)
		self_leave(s);
}

void
track_dead(struct block *b)
{
	struct self *s = self_tls.self != NULL ? self_tls.self : self_all();

	/* The block may still be in a list from before it was revived. */
	if (b == NULL || s == NULL ||
		(__atomic_fetch_or(&b->state, BLOCK_LISTED, __ATOMIC_SEQ_CST) &
			BLOCK_LISTED) != 0)
		return;
	b->dead = __atomic_load_n(&s->dead, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&s->dead, &b->dead, b, true,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Adds an entry for the rest of a mapping. */
static void
keep(struct self *s, const struct block *of, uint64_t lo, uint64_t hi)
{
	struct block *b = new_block(s);

	if (b == NULL)
		return;
	*b = (struct block){ .lo = lo,
		.size = hi - lo,
		.born = ticks_now(),
		.path = of->path,
		.weight = 1,
		.name = of->name,
		.kind = of->kind,
		.state = sites_is_inherited(of) ? BLOCK_INHERITED : 0,
		.thread = of->thread };
	if (!index_add(&track.maps, b))
		self_lose(&s->no_memory);
}

static void
unmap(struct self *s, struct block *b, uint64_t lo, uint64_t hi)
{
	uint64_t end = b->lo + b->size;
	uint64_t from = b->lo < lo ? lo : b->lo, to = end < hi ? end : hi;

	__atomic_store_n(&b->died, ticks_now(), __ATOMIC_RELAXED);
	sites_count_part(s, b, (b->lo < from) + (to < end), to - from);
	if (b->lo < from)
		keep(s, b, b->lo, from);
	if (to < end)
		keep(s, b, to, end);
	track_dead(b);
}

void
track_unmapped(uint64_t lo, uint64_t size)
{
	struct self *s = track.is_on ? self_get() : NULL;
	uint64_t hi = lo + size;
	struct block *b;

	if (s == NULL || size == 0 || !self_enter(s))
		return;
	while ((b = index_below(&track.maps, hi - 1)) != NULL &&
		b->lo + b->size > lo)
		unmap(s, b, lo, hi);
	self_leave(s);
}

void
track_mapped_again(const struct block *of, uint64_t lo, uint64_t size)
{
	struct self *s = self_tls.self;

	if (s == NULL || !self_enter(s))
		return;
	keep(s, of, lo, lo + size);
	sites_count_part(s, of, 2, -size);
	self_leave(s);
}

void
track_hold(void)
{
	spin_lock(&spare.lock, RANK_SPARE);
}

void
track_let_go(void)
{
	spin_unlock(&spare.lock, RANK_SPARE);
}
