/* SPDX-License-Identifier: MIT */
/*
 * wiped.h - pages that a fork wipes: a child finds zeros.
 */
#ifndef WEFT_INPROC_CORE_WIPED_H
#define WEFT_INPROC_CORE_WIPED_H

#include <stddef.h>
#include <sys/mman.h>

/* Zeroed pages of their own, or NULL with errno; more: flags of mmap(), as
 * MAP_POPULATE. munmap() gives them back. */
static inline void *
wiped_map(size_t bytes, int more)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, bytes, MADV_WIPEONFORK);
	return p;
}

#endif
