/* SPDX-License-Identifier: MIT */
/*
 * allocated.h - where the memory recorder (libweft-mem.so) saw a block
 * allocated.
 *
 * A library of ours that names objects on the heap works without that recorder,
 * too: the table is a weak symbol, whose address is NULL then. Not in handlers;
 * takes no lock.
 */
#ifndef WEFT_INPROC_CORE_ALLOCATED_H
#define WEFT_INPROC_CORE_ALLOCATED_H

#include <stdint.h>

#define ALLOCATED_UNSEEN UINT32_MAX

struct allocated {
	/* Returns the number of the call path that allocated the block which
	 * contains an address: of the heap, a mapping, or a pool of
	 * <weft/mem.h>. 0: the block is not known, as most small ones;
	 * ALLOCATED_UNSEEN: the calling thread cannot look. */
	uint32_t (*path)(const void *at);

	/* Copies the return addresses of a path, the innermost first and at
	 * most `room`. Returns how many those are. */
	int (*callers)(uint32_t path, uint64_t *caller, int room);
};

extern const struct allocated weft_allocated __attribute__((weak));

/* Returns the table, or NULL. */
static inline const struct allocated *
allocated_table(void)
{
	return &weft_allocated;
}

#endif
