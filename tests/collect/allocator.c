/* SPDX-License-Identifier: MIT */
/*
 * allocator.c - a program whose allocator waits for a lock, also when the
 * recorder starts a thread and the C library allocates for that. The thread
 * that records first has a stack below all other memory. The allocator's first
 * call, before any constructor, makes a system call under its lock, as jemalloc
 * does to read its settings.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 16 << 20, HEAD = 16, STACK = 1 << 20, MS = 1000000, TIMES = 20 };

#define EXPORT __attribute__((visibility("default")))

static unsigned char room[ROOM] __attribute__((aligned(HEAD)));
static size_t used;
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static int is_over; /* atomic */

static void
doze(long ns)
{
	syscall(SYS_nanosleep, &(struct timespec){ 0, ns }, NULL);
}

/* Each block has its size in front. */
EXPORT void *
malloc(size_t size)
{
	size_t n = (size + 2 * HEAD - 1) / HEAD * HEAD;
	unsigned char *at = NULL;

	pthread_mutex_lock(&heap);
	if (used == 0)
		syscall(SYS_getpid);
	if (n <= ROOM - used) {
		at = room + used + HEAD;
		memcpy(at - HEAD, &size, sizeof size);
		used += n;
	}
	pthread_mutex_unlock(&heap);
	return at;
}

EXPORT void
free(void *block)
{
	(void)block;
}

EXPORT void *
calloc(size_t n, size_t size)
{
	return malloc(n * size); /* fresh memory is 0 */
}

EXPORT void *
realloc(void *block, size_t size)
{
	void *to = malloc(size);
	size_t was = 0;

	if (block != NULL)
		memcpy(&was, (unsigned char *)block - HEAD, sizeof was);
	if (to != NULL && block != NULL)
		memcpy(to, block, was < size ? was : size);
	return to;
}

static void
begin(void)
{
	free(malloc(1));
}

__attribute__((section(".preinit_array"), used)) static void (*const at_load)(
	void) = begin;

/* Has the allocator's lock nearly all the time. */
static void *
hold(void *arg)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		pthread_mutex_lock(&heap);
		doze(MS);
		pthread_mutex_unlock(&heap);
		doze(MS / 50);
	}
	return arg;
}

static void *
allocate(void *arg)
{
	for (int i = 0; i < TIMES; i++)
		if (malloc(1) == NULL)
			return NULL;
	return arg;
}

int
main(void)
{
	void *low = mmap((void *)0x10000000, STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	pthread_t holder, other;
	pthread_attr_t attr;
	void *result = NULL;

	pthread_attr_init(&attr);
	if (low == MAP_FAILED ||
		pthread_attr_setstack(&attr, low, STACK) != 0 ||
		pthread_create(&holder, NULL, hold, &heap) != 0)
		return 3;
	doze(5 * MS);
	if (pthread_create(&other, &attr, allocate, &heap) != 0)
		return 3;
	pthread_join(other, &result);
	__atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
	pthread_join(holder, NULL);
	return result == &heap ? 0 : 1;
}
