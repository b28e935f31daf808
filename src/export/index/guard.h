/* SPDX-License-Identifier: MIT */
/*
 * guard.h - a map of a file that somebody may cut: reading what is not there
 * any more is SIGBUS, which ends the query and not the process.
 *
 * The query runs below guard_call(). It may hold nothing that must be given
 * back but memory of arenas, because it may never return.
 */
#ifndef WEFT_EXPORT_INDEX_GUARD_H
#define WEFT_EXPORT_INDEX_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard_map {
	const void *at;
	size_t size;
};

/* Takes over SIGBUS for this process, once; what happens outside of guarded
 * maps goes where it went before. */
void guard_install(void);

/* Calls fn(arg). False, with *gone, if a page of the map was not there. */
bool guard_call(const struct guard_map *map, bool (*fn)(void *arg), void *arg,
	bool *gone);

#endif
