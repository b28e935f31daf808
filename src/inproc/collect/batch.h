/* SPDX-License-Identifier: MIT */
/*
 * batch.h - several events of one moment, for one reservation in the ring and
 * one read of the clock.
 *
 *	BATCH_PUT({ "PMU", NULL, 0 }, { "WGp", &data, sizeof data });
 *
 * A payload has 0, 4, 8 or 12 bytes. Events of kinds that are switched off are
 * left out. The usual case is in line and calls nothing, so that the thread
 * need not be busy (wait.h) meanwhile; batch_put_slow() makes it busy.
 */
#ifndef WEFT_INPROC_COLLECT_BATCH_H
#define WEFT_INPROC_COLLECT_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "weft/trace.h"

/* A moment of this thread. Its time can be given to an event as long as the
 * thread has recorded nothing since. */
struct stamp {
	uint64_t time; /* ns; 0: unknown */
	uint64_t at;   /* position in the ring */
	const struct weft_ring *ring;
};

struct batch_event {
	const char *mcv;
	const void *data;
	uint32_t n; /* bytes of payload */
};

enum { BATCH_MAX = 6, BATCH_HEAD = 12 };

static inline struct stamp
stamp_now(void)
{
	struct weft_ring *ring = weft_self;
	struct stamp s = { 0, __atomic_load_n(&ring->res, __ATOMIC_RELAXED),
		ring };

	if (ring->base != NULL)
		s.time = weft_ring_now(ring);
	return s;
}

/* Records the events, at most BATCH_MAX. The first `nearlier` get the time of
 * `since`, if the thread has recorded nothing since then. */
void batch_put_slow(const struct batch_event *e, unsigned n, unsigned nearlier,
	const struct stamp *since) __attribute__((visibility("hidden")));

/* Records the events at a moment, or now if that is NULL, or if the thread has
 * recorded something since; returns the moment behind them. The numbers are
 * constants in each caller, so that the compiler makes a few stores of the
 * copies. */
static inline __attribute__((always_inline)) struct stamp
batch_put(const struct batch_event *e, unsigned n, const struct stamp *when)
{
	struct weft_ring *ring = weft_self;
	bool is_on = true;
	uint64_t size = 0, pos, now;
	unsigned char *to;

#pragma GCC unroll 6
	for (unsigned i = 0; i < n; i++) {
		is_on = is_on &&
			__atomic_load_n(&weft_gate[weft_gate_of(e[i].mcv)],
				__ATOMIC_RELAXED) == 1;
		size += BATCH_HEAD + e[i].n;
	}
	if (__builtin_expect(!is_on ||
			    weft_is_beyond(&ring->limit,
				    __atomic_load_n(
					    &ring->res, __ATOMIC_RELAXED) +
					    size),
		    0)) {
		batch_put_slow(e, n, when == NULL ? 0 : n, when);
		return (struct stamp){ 0 };
	}
	/* as weft_store() does: a signal handler may record at any
	 * instruction */
	pos = weft_reserve(&ring->res, size);
	now = when != NULL && when->at == pos && when->ring == ring &&
			when->time != 0
		? when->time
		: weft_ring_now(ring);
	if (__builtin_expect(
		    __atomic_load_n(&ring->res, __ATOMIC_RELAXED) != pos + size,
		    0)) {
		uint64_t later;

		memcpy(&later, ring->base + ((pos + size) & ring->mask) + 4, 8);
		if (later < now)
			now = later;
	}
	to = ring->base + (pos & ring->mask);
#pragma GCC unroll 6
	for (unsigned i = 0; i < n; i++) {
		uint32_t first = weft_first(e[i].mcv, e[i].n);

		memcpy(to, &first, 4);
		memcpy(to + 4, &now, 8);
		if (e[i].n > 0)
			memcpy(to + BATCH_HEAD, e[i].data, e[i].n);
		to += BATCH_HEAD + e[i].n;
	}
	weft_publish(ring, pos);
	return (struct stamp){ now, pos + size, ring };
}

#define BATCH_PUT(...) BATCH_PUT_AT(NULL, __VA_ARGS__)
#define BATCH_PUT_AT(when, ...) \
	batch_put((const struct batch_event[]){ __VA_ARGS__ }, \
		sizeof((const struct batch_event[]){ __VA_ARGS__ }) / \
			sizeof(struct batch_event), \
		when)

#endif
