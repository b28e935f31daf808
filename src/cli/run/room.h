/* SPDX-License-Identifier: MIT */
/*
 * room.h - the limits of a recording's size (WEFT_MAX_MB, WEFT_FULL, the disk),
 * and advice for when one is reached.
 */
#ifndef WEFT_CLI_RUN_ROOM_H
#define WEFT_CLI_RUN_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

/* Returns WEFT_MAX_MB in bytes; 0: no limit. */
uint64_t room_max_bytes(void);

/* Returns false and sets err, with advice, if WEFT_MAX_MB is malformed. */
bool room_check_max(struct err *err);

/* Sets WEFT_RING_KB, unless the user did, if the memory is limited: the rings
 * of 128 threads then take an eighth of it. */
void room_fit_rings(struct arena *a);

/* Returns true for WEFT_FULL=overwrite: a flight recorder. */
bool room_is_overwriting(void);

/* Returns true if the disk of the directory is full. */
bool room_is_full(const char *folder);

/* Returns true if the disk of the directory has as many bytes free. */
bool room_has(const char *folder, uint64_t bytes);

/* Returns a directory on a full disk among those that the program writes its
 * trace to, or NULL. The disk may have been full before, too. */
const char *room_full_disk(const char *folder);

/* Returns what to do about a full disk, as the end of a sentence. */
const char *room_full_advice(struct arena *a, const char *folder);

/* Returns how to keep more events if events were lost and no disk was full.
 * threads: the most threads of one process; bytes: the most bytes that one
 * process wrote. */
const char *room_advice(struct arena *a, int threads, uint64_t bytes);

#endif
