/* SPDX-License-Identifier: MIT */
#include "inproc/collect/thread_memory.h"

#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	USUAL_STACK = 8 << 20, /* bytes, if there is no limit */
	NEAR = 64 << 10, /* bytes that are surely of the stack at an address */
	BLOCKS = 64,     /* modules with thread-local storage */
	THREADS = 1024,  /* a power of two */
	PROBES = 8       /* places where the entry of a thread may lie */
};

/* The end of the main thread's stack; the loader's. */
extern void *__libc_stack_end;

/* The thread-local storage of a module. */
static struct block {
	uint64_t below, size; /* bytes from its begin to pthread_self() */
	const void *module;   /* an address in the module */
} blocks[BLOCKS];
static int nblocks;

static uint64_t stack_most; /* bytes of the main thread's stack */

/* Threads that have not ended, as far as there is room. */
static struct thread {
	uint64_t self; /* atomic: pthread_self(); 0: free */
	int32_t tid;   /* atomic */
} threads[THREADS];

static int
note_block(struct dl_phdr_info *info, size_t size, void *self)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uint64_t begin = (uint64_t)(uintptr_t)info->dlpi_tls_data;

		if (h->p_type != PT_TLS || begin == 0 || nblocks == BLOCKS ||
			begin >= *(uint64_t *)self)
			continue;
		blocks[nblocks++] =
			(struct block){ *(uint64_t *)self - begin, h->p_memsz,
				(const void *)(info->dlpi_addr + h->p_vaddr) };
	}
	return 0;
}

void
memory_load(void)
{
	uint64_t self = (uint64_t)pthread_self();
	struct rlimit most;

	stack_most = USUAL_STACK;
	if (getrlimit(RLIMIT_STACK, &most) == 0 &&
		most.rlim_cur != RLIM_INFINITY)
		stack_most = most.rlim_cur;
	dl_iterate_phdr(note_block, &self);
	memory_begin_thread();
}

static uint32_t
slot_of(uint64_t self)
{
	return (uint32_t)(self * 0x9e3779b97f4a7c15u >> 48) % THREADS;
}

/* A thread often gets the memory of one that has ended. */
void
memory_begin_thread(void)
{
	uint64_t self = (uint64_t)pthread_self(), was;
	uint32_t at = slot_of(self);

	for (int i = 0; i < PROBES; i++, at = (at + 1) % THREADS) {
		struct thread *t = &threads[at];

		was = __atomic_load_n(&t->self, __ATOMIC_ACQUIRE);
		if (was == 0)
			__atomic_compare_exchange_n(&t->self, &was, self, false,
				__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		if (was != 0 && was != self)
			continue;
		__atomic_store_n(&t->tid, (int32_t)gettid(), __ATOMIC_RELEASE);
		return;
	}
}

void
memory_begin_child(void)
{
	for (int i = 0; i < THREADS; i++)
		threads[i] = (struct thread){ 0 };
	memory_begin_thread();
}

void
memory_end_thread(void)
{
	uint64_t self = (uint64_t)pthread_self();
	uint32_t at = slot_of(self);

	for (int i = 0; i < PROBES; i++, at = (at + 1) % THREADS)
		if (__atomic_load_n(&threads[at].self, __ATOMIC_ACQUIRE) ==
			self) {
			__atomic_store_n(&threads[at].tid, 0, __ATOMIC_RELAXED);
			__atomic_store_n(
				&threads[at].self, 0, __ATOMIC_RELEASE);
		}
}

/* Returns the block of a thread that has the address, or NULL. */
static const struct block *
block_of(uint64_t self, uint64_t address)
{
	for (int i = 0; i < nblocks; i++)
		if (address - (self - blocks[i].below) < blocks[i].size)
			return &blocks[i];
	return NULL;
}

static bool
is_local_of(uint64_t self, int32_t tid, uint64_t address, struct memory *to)
{
	const struct block *b = block_of(self, address);

	if (b == NULL)
		return false;
	*to = (struct memory){ tid, true, b->module,
		address - (self - b->below) };
	return true;
}

static bool
is_local(uint64_t address, struct memory *to)
{
	if (is_local_of(
		    (uint64_t)pthread_self(), (int32_t)gettid(), address, to))
		return true;
	for (int i = 0; i < THREADS; i++) {
		uint64_t self =
			__atomic_load_n(&threads[i].self, __ATOMIC_ACQUIRE);

		if (self != 0 &&
			is_local_of(self,
				__atomic_load_n(
					&threads[i].tid, __ATOMIC_ACQUIRE),
				address, to))
			return true;
	}
	return false;
}

/* The kernel keeps room for all that the main thread's stack may become. Of
 * another thread's only what is near is surely its stack: that may be another
 * one, as a coroutine's. */
struct memory
memory_of(uintptr_t address)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0),
		  end = (uintptr_t)__libc_stack_end,
		  self = (uintptr_t)pthread_self();
	struct memory memory = { 0 };

	if (is_local(address, &memory))
		return memory;
	if (address < end && end - address < stack_most)
		memory.tid = (int32_t)getpid();
	else if (address > here && address - here < NEAR &&
		(here > self || address < self))
		memory.tid = (int32_t)gettid();
	return memory;
}
