/* SPDX-License-Identifier: MIT */
/*
 * put.h - events of a time that has passed.
 *
 * A call is recorded when it was long, by an event of the time at which it
 * began. Definitions that this event needs get the same time, so that time does
 * not go back in the stream.
 */
#ifndef WEFT_INPROC_COLLECT_PUT_H
#define WEFT_INPROC_COLLECT_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/trace.h"

/* Returns the thread's ring, or NULL: before its first event, and in a child of
 * fork, a thread has one without memory. */
static inline struct weft_ring *
put_ring(void)
{
	struct weft_ring *ring = weft_self;

	return ring != NULL && ring->base != NULL ? ring : NULL;
}

/* The time of the thread's next definitions, ns; 0: now. */
extern __thread uint64_t put_time
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Whether a definition precedes what the thread records now: that may be
 * earlier than the definition of another thread, then the thread repeats it.
 * `defined` is the time of the earliest definition, ns; 0: there is none;
 * atomic. */
static inline bool
put_is_defined(const uint64_t *defined)
{
	uint64_t at = __atomic_load_n(defined, __ATOMIC_ACQUIRE);

	return at != 0 && (put_time == 0 || at <= put_time);
}

/* Called when the definition was recorded. */
void put_was_defined(uint64_t *defined) __attribute__((visibility("hidden")));

/* Records a jumbo event of at most 1000 bytes at put_time. */
void put_definition(const char *mcv, const void *data, uint32_t n)
	__attribute__((visibility("hidden")));

/* Records an event of 2 to 16 bytes at put_time. The thread has a ring, and no
 * event of it is later. */
void put_event(const char *mcv, const void *data, uint32_t n)
	__attribute__((visibility("hidden")));

#endif
