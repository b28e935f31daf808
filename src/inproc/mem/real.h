/* SPDX-License-Identifier: MIT */
/*
 * real.h - the functions that the hooks stand in front of.
 *
 * They are the next ones in the order of the loader: the C library's, or those
 * of an allocator that the program brings along. Until they are known, and for
 * what the recorder itself makes the C library allocate, there is a little
 * memory of our own, so that the program's heap stays as it is.
 */
#ifndef WEFT_INPROC_MEM_REAL_H
#define WEFT_INPROC_MEM_REAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <threads.h>

/* Written by the first that calls, or at the load: each time the same. */
struct real {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*memalign)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void *(*mmap)(void *, size_t, int, int, int, off_t);
	void *(*mremap)(void *, size_t, size_t, int, void *);
	int (*munmap)(void *, size_t);
	int (*brk)(void *);
	void *(*sbrk)(intptr_t);
	int (*dlclose)(void *);
	int (*pthread_create)(
		pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*thrd_create)(thrd_t *, thrd_start_t, void *);
	void (*exit_now)(int); /* _exit */
	int (*prctl)(int, ...);
};

extern struct real real;

/* Finds them, once. */
void real_find(void);

enum { SCRATCH_BYTES = 256 << 10 };
extern char scratch[SCRATCH_BYTES];

/* Memory of our own; aligned to 16, zeroed; NULL when it is used up. */
void *scratch_take(size_t bytes);

static inline bool
scratch_has(const void *p)
{
	return (uintptr_t)p - (uintptr_t)scratch < SCRATCH_BYTES;
}

/* Bytes that a block of it has. */
size_t scratch_size(const void *p);

#endif
