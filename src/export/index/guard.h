/* SPDX-License-Identifier: MIT */
/*
 * guard.h - reads a mapped file that another process may truncate: the SIGBUS
 * of a read beyond the new end stops the query and not the process.
 *
 * The query runs inside guard_call(), which may abandon it at any read. So it
 * may hold no resource but memory of arenas.
 */
#ifndef WEFT_EXPORT_INDEX_GUARD_H
#define WEFT_EXPORT_INDEX_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard_map {
	const void *at;
	size_t size;
};

/* Installs a handler of SIGBUS for this process, once. Faults outside of
 * guarded maps go to the handler that was installed before. */
void guard_install(void);

/* Calls fn(arg) and returns its result. Returns false and sets *gone if a page
 * of the map does not exist any more. */
bool guard_call(const struct guard_map *map, bool (*fn)(void *arg), void *arg,
	bool *gone);

#endif
