/* SPDX-License-Identifier: MIT */
#include "inproc/mem/self.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/pages.h"
#include "inproc/mem/loader.h"
#include "inproc/mem/ticks.h"

enum {
	THREAD_BLOCK = 2304, /* defaults where the C library does not tell */
	STATIC_TLS = 2048,
	STACK_LARGEST = 8 << 20
};

extern void *__libc_stack_end; /* end of the main thread's frames */

_Thread_local struct self_tls self_tls;

uint32_t self_nconfined;

static struct self *all; /* atomic: any thread adds */

struct self *
self_all(void)
{
	return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

/* Bytes of the thread's control block, at its pointer and above, and of static
 * TLS below. */
struct tls_bytes {
	uint64_t block, below;
};

static struct tls_bytes
tls_bytes(void)
{
	static struct tls_bytes bytes;
	void (*info)(size_t *, size_t *);
	const uint32_t *block;
	size_t size = 0, align = 0;

	if (bytes.block != 0)
		return bytes;
	/* no other interface tells; these symbol names have been stable */
	*(void **)&info = loader_find("_dl_get_tls_static_info");
	block = loader_find("_thread_db_sizeof_pthread");
	if (info != NULL)
		info(&size, &align); /* sum of both */
	bytes.block = block != NULL ? *block : THREAD_BLOCK;
	bytes.below = size > bytes.block ? size - bytes.block : STATIC_TLS;
	return bytes;
}

uint64_t
self_tls_below(const void *block)
{
	uint64_t thread = (uint64_t)(uintptr_t)pthread_self();
	uint64_t below = thread - (uint64_t)(uintptr_t)block;

	return block != NULL && below <= tls_bytes().below ? below : 0;
}

static void
find_bounds(struct self *s)
{
	uint64_t thread = (uint64_t)(uintptr_t)pthread_self();

	struct rlimit limit = { STACK_LARGEST, STACK_LARGEST };
	uint64_t most = self_tls.stack_bytes;

	s->is_main = s->tid == getpid();
	s->thread = thread;
	s->tls_lo = thread - tls_bytes().below;
	s->tls_hi = thread + tls_bytes().block;
	s->stack_hi =
		s->is_main ? (uint64_t)(uintptr_t)__libc_stack_end + 8 : thread;
	if (s->is_main)
		getrlimit(RLIMIT_STACK, &limit);
	if (most == 0)
		most = limit.rlim_cur < STACK_LARGEST ? limit.rlim_cur
						      : STACK_LARGEST;
	s->stack_lo = (s->stack_hi - most) & ~(uint64_t)4095;
}

static struct self *
take_over(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next) {
		int state = SELF_FREE;

		if (__atomic_load_n(&s->state, __ATOMIC_RELAXED) == state &&
			__atomic_compare_exchange_n(&s->state, &state,
				SELF_BEGINS, false, __ATOMIC_ACQUIRE,
				__ATOMIC_RELAXED))
			return s;
	}
	return NULL;
}

static struct self *
make(void)
{
	static uint32_t numbers;
	struct self *s = room_map(sizeof(*s)); /* only a small part of the
	                                        * struct is touched */

	if (s == NULL)
		return NULL;
	s->number = (uint16_t)__atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
	s->state = SELF_BEGINS;
	s->next = self_all();
	while (!__atomic_compare_exchange_n(
		&all, &s->next, s, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return s;
}

/* Spreads close numbers over the whole range. */
static uint64_t
spread(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

uint64_t
self_random(void)
{
	return spread(ticks_now() ^ (uint64_t)gettid() << 32);
}

struct self *
self_get(void)
{
	struct self *s = self_tls.self;

	if (s != NULL || self_tls.is_gone)
		return s;
	if (!self_tls.is_begun &&
		__atomic_load_n(&self_nconfined, __ATOMIC_RELAXED) != 0)
		return NULL;
	s = take_over();
	if (s == NULL && (s = make()) == NULL)
		return NULL;
	s->tid = gettid();
	s->begun = ticks_ns();
	s->ended = s->cpu = 0;
	s->is_sampled = s->has_no_chance = false;
	s->random = spread(s->begun ^ (uint64_t)s->tid << 32) | 1;
	find_bounds(s);
	__atomic_store_n(&s->state, SELF_ALIVE, __ATOMIC_RELEASE);
	self_tls.self = s;
	return s;
}

struct self *
self_adopt(int tid)
{
	struct self *s = take_over();

	if (s == NULL && (s = make()) == NULL)
		return NULL;
	s->tid = tid;
	s->begun = ticks_ns();
	s->ended = s->cpu = 0;
	s->is_sampled = false;
	s->stack_lo = s->stack_hi = s->tls_lo = s->tls_hi = s->thread = 0;
	__atomic_store_n(&s->state, SELF_ALIVE, __ATOMIC_RELEASE);
	return s;
}

void
self_end(void)
{
	struct self *s = self_tls.self;

	self_tls.is_gone = true;
	self_tls.self = NULL;
	if (s == NULL)
		return;
	/* a handler that interrupted a busy part may end its thread */
	__atomic_store_n(&s->busy, s->busy + (s->busy & 1), __ATOMIC_RELEASE);
	WEFT_ASSERT(thread_ends_that_is_alive,
		__atomic_load_n(&s->state, __ATOMIC_RELAXED) == SELF_ALIVE);
	s->ended = ticks_ns();
	s->cpu = ticks_cpu_ns();
	__atomic_store_n(&s->state, SELF_ENDED, __ATOMIC_RELEASE);
}

void
self_forked(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next) {
		s->is_told = s->has_file = false;
		s->timer = NULL;
		if (s == self_tls.self) {
			s->tid = gettid();
			s->is_main = true;
			s->begun = ticks_ns();
		} else if (s->state == SELF_ALIVE || s->state == SELF_BEGINS) {
			s->busy += s->busy & 1;
			s->state = SELF_FREE;
		}
	}
}
