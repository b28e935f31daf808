/* SPDX-License-Identifier: MIT */
/*
 * pages.h - the recorder's own memory, from mappings of its own.
 *
 * The heap belongs to the program: what the recorder needs must not move the
 * program's blocks. Memory is zeroed and never given back; what churns is kept
 * in free lists by its owner. Large mappings ask for huge pages, so that the
 * page faults of a program stay its own.
 */
#ifndef WEFT_INPROC_CORE_PAGES_H
#define WEFT_INPROC_CORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes aligned to 64, or NULL. Not in handlers. Keeps errno. */
void *room_take(size_t bytes);

/* Whole pages of their own, not touched yet, or NULL. Keeps errno. */
void *room_map(size_t bytes);

/* Gives back what room_map gave. */
void room_unmap(void *p, size_t bytes);

/* Is this memory of the recorder? */
bool room_has(uint64_t address);

/* Around fork: nobody is within room_take. */
void room_hold(void);
void room_let_go(void);

#endif
