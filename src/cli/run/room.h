/* SPDX-License-Identifier: MIT */
/*
 * room.h - what ends a recording early: WEFT_MAX_MB, WEFT_FULL, the disk; and
 * what helps.
 */
#ifndef WEFT_CLI_RUN_ROOM_H
#define WEFT_CLI_RUN_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

/* WEFT_MAX_MB in bytes; 0: there is no limit. */
uint64_t room_max_bytes(void);

/* False: WEFT_MAX_MB is no such number; err says what to do. */
bool room_check_max(struct err *err);

/* WEFT_FULL=overwrite: a flight recorder. */
bool room_is_overwriting(void);

/* Has the disk of the folder no room left? */
bool room_is_full(const char *folder);

/* Of the disks that a program writes its trace to, one that is full: its
 * folder; NULL: none is. It may have been full before, too. */
const char *room_full_disk(const char *folder);

/* What to do about a full disk, as a sentence that ends. */
const char *room_full_advice(struct arena *a, const char *folder);

/* What keeps more of the events that were lost, though no disk was full: of the
 * threads of the process that has most of them, and the bytes of the one that
 * wrote most. */
const char *room_advice(struct arena *a, int threads, uint64_t bytes);

#endif
