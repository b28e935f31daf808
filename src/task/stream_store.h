/* SPDX-License-Identifier: MIT */
/*
 * stream_store.h - streams of tasks as a kind of store, "stream:FILE".
 *
 * They are read only: simulators write them. Beside a store that is being
 * written, or whose writer died, lies the stream of its last run, which has
 * what the store does not have yet: it is read instead.
 */
#ifndef WEFT_TASK_STREAM_STORE_H
#define WEFT_TASK_STREAM_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct store_place;

/* Makes the kind known; before places of it are opened. */
void stream_store_register(void);

/* The file of the journal of a run in that place. */
const char *stream_store_journal(
	struct arena *a, const struct store_place *place, uint64_t run);

/* True if there is such a file; *run gets its number. */
bool stream_store_is(const char *path, uint64_t *run);

#endif
