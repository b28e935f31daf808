/* SPDX-License-Identifier: MIT */
/*
 * pages.h - the recorder's own memory, from its own mappings.
 *
 * The heap belongs to the program: the recorder's memory must not move the
 * program's blocks. Memory is zeroed and never given back; owners keep what
 * they reuse in free lists. Large mappings ask for huge pages, so that the
 * recorder causes few page faults in the program.
 */
#ifndef WEFT_INPROC_CORE_PAGES_H
#define WEFT_INPROC_CORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns bytes aligned to 64, or NULL. Not in handlers. Keeps errno. */
void *room_take(size_t bytes);

/* Returns untouched whole pages, or NULL. Keeps errno. */
void *room_map(size_t bytes);

/* Unmaps pages from room_map. */
void room_unmap(void *p, size_t bytes);

/* Returns true if the address is in the recorder's memory. */
bool room_has(uint64_t address);

/* Keep all threads out of room_take during a fork. */
void room_hold(void);
void room_let_go(void);

#endif
