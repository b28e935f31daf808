/* SPDX-License-Identifier: MIT */
/*
 * batch.h - several events of one moment, for one reservation in the ring and
 * one read of the clock.
 *
 *	struct batch b = BATCH;
 *	batch_add(&b, "PMU", NULL, 0);
 *	batch_add(&b, "PBj", NULL, 0);
 *	batch_put(&b);
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

enum { BATCH_MAX = 240, RECORD = 12 };

struct batch {
	uint32_t n;      /* bytes */
	uint32_t nearly; /* the first bytes are events of the earlier moment of
	                  * batch_put_since() */
	unsigned char byte[BATCH_MAX];
};

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

/* Adds an event with n bytes of payload, 0 or 2 to 16, if events of its kind
 * are recorded. Events that do not fit are left out. */
static inline void
batch_add(struct batch *b, const char *mcv, const void *data, uint32_t n)
{
	unsigned char gate = __atomic_load_n(
		&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);
	uint32_t first = weft_first(mcv, n);

	if (__builtin_expect(gate != 1, 0) && (gate == 0 || !weft_ask(mcv)))
		return;
	if (b->n + RECORD + n > BATCH_MAX)
		return;
	memcpy(b->byte + b->n, &first, 4);
	if (n > 0)
		memcpy(b->byte + b->n + RECORD, data, n);
	b->n += RECORD + n;
}

/* Adds an event that happened at the earlier moment of batch_put_since(); such
 * events are added first. */
static inline void
batch_add_earlier(
	struct batch *b, const char *mcv, const void *data, uint32_t n)
{
	batch_add(b, mcv, data, n);
	b->nearly = b->n;
}

static inline void
batch_set_times(struct batch *b, uint64_t earlier, uint64_t now)
{
	for (uint32_t at = 0; at < b->n;) {
		unsigned char *record = b->byte + at;

		memcpy(record + 4, at < b->nearly ? &earlier : &now, 8);
		at += RECORD + (record[0] == 0 ? 0 : record[0] + 1u);
	}
}

/* Records the events. The earlier ones get the time of `since`, if the thread
 * has recorded nothing since then. */
static inline void
batch_put_since(struct batch *b, const struct stamp *since)
{
	struct weft_ring *ring = weft_self;
	uint64_t pos, now, later;

	if (b->n == 0)
		return;
	if (__builtin_expect(
		    weft_is_beyond(&ring->limit,
			    __atomic_load_n(&ring->res, __ATOMIC_RELAXED) +
				    b->n),
		    0)) {
		if (!weft_room(b->n, WEFT_LAYOUT))
			return;
		ring = weft_self;
	}
	/* as weft_store() does: a signal handler may record at any
	 * instruction */
	pos = weft_reserve(&ring->res, b->n);
	now = weft_ring_now(ring);
	if (__builtin_expect(
		    __atomic_load_n(&ring->res, __ATOMIC_RELAXED) != pos + b->n,
		    0)) {
		memcpy(&later, ring->base + ((pos + b->n) & ring->mask) + 4, 8);
		if (later < now)
			now = later;
	}
	batch_set_times(b,
		since != NULL && since->time != 0 && since->at == pos &&
				since->ring == ring && since->time < now
			? since->time
			: now,
		now);
	memcpy(ring->base + (pos & ring->mask), b->byte, b->n);
	weft_publish(ring, pos);
}

static inline void
batch_put(struct batch *b)
{
	batch_put_since(b, NULL);
}

#endif
