/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/jumbo.h"

#include <signal.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/budget.h"
#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/signals.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/still.h"
#include "inproc/ovni/thread.h"

#define JUMBO_HEAD (RECORD_HEAD + 4)

/* Writes directly to the file. No record of the thread may be in the ring
 * meanwhile, so handlers are blocked. Sets the head's time if is_now. */
static bool
write_out(struct thread *th, unsigned char *head, bool is_now, const void *data,
	uint32_t n)
{
	struct ringfile *f = th->stream.mem.file;
	bool is_me = false, ok = false;
	uint64_t time;

	for (unsigned turn = 0; !weft_rt_drain_take(&th->stream, &is_me);
		turn++) {
		if (is_me)
			return false; /* we interrupted the drainer */
		weft_rt_stream_pause(turn);
	}
	if (weft_rt_drain(&th->stream) && f->tail == *th->ring.head) {
		WEFT_ASSERT(ring_is_empty_before_a_direct_write,
			th->ring.res == f->tail);
		time = weft_ring_now(&th->ring);
		if (is_now)
			memcpy(head + 4, &time, 8);
		ok = weft_rt_drain_direct(
			&th->stream, head, JUMBO_HEAD, data, n);
	}
	if (ok) {
		/* write the head at once: a reader of the ring must not see a
		 * head that lies before the file's end */
		th->ring.res = f->tail;
		__atomic_store_n(&f->head, f->tail, __ATOMIC_RELEASE);
	}
	weft_rt_drain_give(&th->stream);
	return ok;
}

static bool
put_large(struct thread *th, unsigned char *head, bool is_now, const void *data,
	uint32_t n)
{
	sigset_t was;
	bool ok;

	signals_block(&was);
	ok = *th->ring.head == th->ring.res &&
		write_out(th, head, is_now, data, n);
	signals_restore(&was);
	return ok;
}

/* Like weft_store(): handlers may interrupt anywhere. */
static void
put_small(struct thread *th, unsigned char *head, bool is_now, const void *data,
	uint32_t n)
{
	struct weft_ring *r = &th->ring;
	uint64_t size = JUMBO_HEAD + (uint64_t)n;
	uint64_t pos = weft_reserve(&r->res, size), later;
	uint64_t time = weft_ring_now(r);
	unsigned char *to = r->base + (pos & r->mask);

	if (__atomic_load_n(&r->res, __ATOMIC_RELAXED) != pos + size) {
		later = record_time(r->base + ((pos + size) & r->mask));
		time = later < time ? later : time;
	}
	if (is_now)
		memcpy(head + 4, &time, 8);
	memcpy(to, head, JUMBO_HEAD);
	memcpy(to + JUMBO_HEAD, data, n);
	weft_publish(r, pos);
}

void
weft_rt_jumbo(struct thread *th, uint32_t first, const uint64_t *time,
	const void *data, uint32_t n)
{
	uint64_t size = JUMBO_HEAD + (uint64_t)n;
	uint64_t most = weft_rt_config.ring_bytes / 4;
	bool is_flight = weft_rt_config.full == FULL_OVERWRITE;
	unsigned char head[JUMBO_HEAD];

	WEFT_ASSERT(large_event_is_of_its_own_thread, weft_self == &th->ring);
	memcpy(head, &first, 4);
	if (time)
		memcpy(head + 4, time, 8);
	memcpy(head + RECORD_HEAD, &n, 4);
	if (size > (is_flight ? 2 * most : most)) {
		weft_rt_still_say(th, time);
		if (!th->stream.has_file || is_flight ||
			!weft_rt_budget_pay(&th->stream, th->ring.res + size) ||
			!put_large(th, head, !time, data, n))
			weft_rt_stream_lose(&th->stream, time);
		return;
	}
	if (th->ring.res + size <= weft_rt_ring_limit(&th->ring) ||
		weft_rt_still_room(th, size, time, false)) {
		put_small(th, head, !time, data, n);
		weft_rt_still_end(th);
	}
}
