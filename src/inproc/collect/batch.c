/* SPDX-License-Identifier: MIT */
#include "inproc/collect/batch.h"

#include "inproc/collect/call.h"

static bool
is_on(const char *mcv)
{
	unsigned char gate = __atomic_load_n(
		&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);

	return gate == 1 || (gate != 0 && weft_ask(mcv));
}

static uint32_t
add(unsigned char *to, const struct batch_event *e, uint64_t time)
{
	uint32_t first = weft_first(e->mcv, e->n);

	memcpy(to, &first, 4);
	memcpy(to + 4, &time, 8);
	if (e->n > 0)
		memcpy(to + BATCH_HEAD, e->data, e->n);
	return BATCH_HEAD + e->n;
}

/* Puts the events that are recorded first; returns their bytes, and how many of
 * the earlier ones there are. */
static uint32_t
choose(struct batch_event *to, const struct batch_event *e, unsigned *n,
	unsigned *nearlier)
{
	uint32_t size = 0;
	unsigned kept = 0, early = 0;

	for (unsigned i = 0; i < *n && i < BATCH_MAX; i++)
		if (is_on(e[i].mcv)) {
			to[kept++] = e[i];
			early += i < *nearlier;
			size += BATCH_HEAD + e[i].n;
		}
	*n = kept;
	*nearlier = early;
	return size;
}

/* Returns the time of events at a position, which must not be later than that
 * of a handler's event behind them. */
static uint64_t
time_at(struct weft_ring *ring, uint64_t pos, uint32_t size)
{
	uint64_t now = weft_ring_now(ring), later;

	if (__atomic_load_n(&ring->res, __ATOMIC_RELAXED) != pos + size) {
		memcpy(&later, ring->base + ((pos + size) & ring->mask) + 4, 8);
		now = later < now ? later : now;
	}
	return now;
}

static void
put(const struct batch_event *e, unsigned n, unsigned nearlier,
	const struct stamp *since)
{
	struct batch_event chosen[BATCH_MAX];
	uint32_t size = choose(chosen, e, &n, &nearlier);
	struct weft_ring *ring = weft_self;
	uint64_t pos, now, earlier;
	unsigned char *to;

	if (n == 0)
		return;
	if (weft_is_beyond(&ring->limit,
		    __atomic_load_n(&ring->res, __ATOMIC_RELAXED) + size)) {
		if (!weft_room(size, WEFT_LAYOUT))
			return;
		ring = weft_self;
	}
	pos = weft_reserve(&ring->res, size);
	now = earlier = time_at(ring, pos, size);
	if (since != NULL && since->time != 0 && since->at == pos &&
		since->ring == ring && since->time < now)
		earlier = since->time;
	to = ring->base + (pos & ring->mask);
	for (unsigned i = 0; i < n; i++)
		to += add(to, &chosen[i], i < nearlier ? earlier : now);
	weft_publish(ring, pos);
}

void
batch_put_slow(const struct batch_event *e, unsigned n, unsigned nearlier,
	const struct stamp *since)
{
	collect_enter();
	put(e, n, nearlier, since);
	collect_leave();
	/* The OpenMP runtime holds no allocator lock when it calls us, so the
	 * writer may be started here. */
	call_offer();
}
