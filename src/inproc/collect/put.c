/* SPDX-License-Identifier: MIT */
#include "inproc/collect/put.h"

#include <string.h>

#include "inproc/collect/span.h"

enum { HEAD = 12, JUMBO = 0x13 }; /* the flags of a jumbo event */

__thread uint64_t put_time;

/* When the thread last waited for room: its events of that are no earlier. */
static __thread uint64_t full;

/* Returns true if events of this category are recorded; the first one adds the
 * model to the thread's. */
static bool
is_on(const char *mcv)
{
	unsigned char gate = __atomic_load_n(
		&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);

	return gate == 1 || (gate != 0 && weft_ask(mcv));
}

/* Reserves room, and publishes the record that the caller's parts make. */
static void
put(uint32_t first, const void *data, uint32_t n, const uint32_t *jumbo)
{
	struct weft_ring *ring = weft_self;
	uint64_t size = HEAD + n + (jumbo != NULL ? sizeof *jumbo : 0), pos;
	uint64_t was = __atomic_load_n(&ring->res, __ATOMIC_RELAXED);
	unsigned char *to;

	if (weft_is_beyond(&ring->limit, was + size)) {
		if (!weft_room(size, WEFT_LAYOUT))
			return;
		ring = weft_self;
		if (__atomic_load_n(&ring->res, __ATOMIC_RELAXED) != was)
			full = weft_ring_now(ring);
	}
	pos = weft_reserve(&ring->res, size);
	to = ring->base + (pos & ring->mask);
	memcpy(to, &first, 4);
	memcpy(to + 4, put_time < full ? &full : &put_time, 8);
	to += HEAD;
	if (jumbo != NULL) {
		memcpy(to, jumbo, sizeof *jumbo);
		to += sizeof *jumbo;
	}
	memcpy(to, data, n);
	weft_publish(ring, pos);
}

void
put_definition(const char *mcv, const void *data, uint32_t n)
{
	unsigned char first[4] = { JUMBO, (unsigned char)mcv[0],
		(unsigned char)mcv[1], (unsigned char)mcv[2] };
	uint32_t word;

	if (put_time == 0 || put_ring() == NULL) {
		weft_jumbo(mcv, data, n);
		return;
	}
	memcpy(&word, first, sizeof word);
	if (is_on(mcv))
		put(word, data, n, &n);
}

/* A later time than that of the definition is right, too; an earlier one is
 * not. */
void
put_was_defined(uint64_t *defined)
{
	uint64_t was = __atomic_load_n(defined, __ATOMIC_RELAXED);
	struct weft_ring *ring = put_ring();
	uint64_t time = put_time != 0 && put_time < full ? full : put_time;

	if (time == 0)
		time = ring != NULL ? weft_ring_now(ring) : span_clock();
	if (was == 0 || time < was)
		__atomic_store_n(defined, time, __ATOMIC_RELEASE);
}

void
put_event(const char *mcv, const void *data, uint32_t n)
{
	if (is_on(mcv))
		put(weft_first(mcv, n), data, n, NULL);
}
