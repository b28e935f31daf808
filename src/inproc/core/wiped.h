/* SPDX-License-Identifier: MIT */
/*
 * wiped.h - pages that a fork wipes: a child finds zeros.
 */
#ifndef WEFT_INPROC_CORE_WIPED_H
#define WEFT_INPROC_CORE_WIPED_H

#include <stddef.h>
#include <sys/mman.h>

/* Maps zeroed pages, wiped in a child of fork. more: further flags of mmap(),
 * such as MAP_POPULATE. Returns NULL with errno. Unmap with munmap(). */
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
