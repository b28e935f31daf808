/* SPDX-License-Identifier: MIT */
/*
 * real.h - the functions that the hooks replace.
 *
 * They are the next functions of the same names in the loader's order:
 * functions of the C library, or of an allocator that the program uses. Until
 * they are found, and for what the C library allocates on the recorder's
 * behalf, there is a little scratch memory, so that the program's heap stays
 * unchanged.
 */
#ifndef WEFT_INPROC_MEM_REAL_H
#define WEFT_INPROC_MEM_REAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <threads.h>

/* Written by the first call or at load, always with the same values. */
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
	int (*unshare)(int);
	int (*setns)(int, int);
	int (*capset)(void *, const void *);
	long (*syscall)(long, ...);
};

extern struct real real;

/* Finds the functions, once. */
void real_find(void);

enum { SCRATCH_BYTES = 256 << 10 };
extern char scratch[SCRATCH_BYTES];

/* Returns zeroed scratch memory, aligned to 16; NULL when it is used up. */
void *scratch_take(size_t bytes);

static inline bool
scratch_has(const void *p)
{
	return (uintptr_t)p - (uintptr_t)scratch < SCRATCH_BYTES;
}

/* Returns the size of a scratch block. */
size_t scratch_size(const void *p);

#endif
