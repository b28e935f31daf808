/* SPDX-License-Identifier: MIT */
/* ovni_*: the clock, events, jumbo events, flush, marks on the timeline. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inproc/core/begin.h"
#include "inproc/core/clock.h"
#include "inproc/core/confined.h"
#include "inproc/core/writer.h"
#include "inproc/ovni/api.h"
#include "inproc/ovni/jumbo.h"
#include "inproc/ovni/record.h"
#include "inproc/ovni/still.h"
#include "ovni.h"

/* The calls of each event begin a line of the cache: wherever else they lie, an
 * event takes up to 0.6 ns more. */
#define CACHE_LINE __attribute__((aligned(64)))

_Static_assert(sizeof(struct ovni_ev) == 28 &&
		sizeof(struct ovni_ev_header) == RECORD_HEAD &&
		sizeof(struct ovni_stream_header) == 8,
	"the layout of programs that are compiled already");

CACHE_LINE void
ovni_ev_set_mcv(struct ovni_ev *ev, const char *mcv)
{
	memcpy(&ev->header.model, mcv, 3);
}

CACHE_LINE void
ovni_ev_set_clock(struct ovni_ev *ev, uint64_t clock)
{
	ev->header.clock = clock;
}

uint64_t
ovni_ev_get_clock(const struct ovni_ev *ev)
{
	return ev->header.clock;
}

CACHE_LINE uint64_t
ovni_clock_now(void)
{
	/* a fork wipes the ring of the parent's thread */
	return weft_self->line ? weft_ring_now(weft_self) : weft_rt_clock_now();
}

int
ovni_payload_size(const struct ovni_ev *ev)
{
	unsigned nibble = ev->header.flags & 15u;

	if (ev->header.flags & OVNI_EV_JUMBO)
		return (int)(4 + ev->payload.jumbo.size);
	return nibble == 0 ? 0 : (int)nibble + 1;
}

int
ovni_ev_size(const struct ovni_ev *ev)
{
	return RECORD_HEAD + ovni_payload_size(ev);
}

__attribute__((cold)) static void
refuse_payload(const struct ovni_ev *ev, int size)
{
	static const char where[] = "ovni_payload_add";

	if (ev->header.flags & OVNI_EV_JUMBO)
		weft_rt_die(where, "event is marked as jumbo");
	if (size < 2)
		weft_rt_die(where, "payload size %d too small", size);
	weft_rt_die(where, "no space left for %d bytes", size);
}

CACHE_LINE void
ovni_payload_add(struct ovni_ev *ev, const uint8_t *buf, int size)
{
	unsigned flags = ev->header.flags;
	unsigned used = flags == 0 ? 0 : (flags & 15u) + 1;

	if (flags & OVNI_EV_JUMBO || size < 2 || used + (unsigned)size > 16)
		refuse_payload(ev, size);
	/* most sizes are 4 or 8: a store instead of a call */
	if (size == 4)
		memcpy(&ev->payload.u8[used], buf, 4);
	else if (size == 8)
		memcpy(&ev->payload.u8[used], buf, 8);
	else
		memcpy(&ev->payload.u8[used], buf, (size_t)size);
	ev->header.flags =
		(uint8_t)((flags & 0xf0u) | (used + (unsigned)size - 1));
}

/* A child of fork has no ring, but goes on without recording; so do the
 * program's destructors that run after the end of the library, and threads that
 * have entered seccomp. */
static bool
may_be_without(void)
{
	return weft_rt_is_child() || weft_rt_proc_is_closing() ||
		weft_rt_is_confined();
}

/* Events that start, end and move threads have room beyond WEFT_MAX_MB. */
static bool
is_kept(const struct ovni_ev *ev)
{
	return ev->header.model == 'O' && ev->header.category == 'H';
}

/* Makes room in the calling thread's ring, or ends the process. ev NULL: the
 * event's time is taken later. */
__attribute__((cold, noinline)) static bool
make_room(uint64_t size, const struct ovni_ev *ev)
{
	struct thread *th = weft_rt_thread();
	uint64_t clock = ev ? ev->header.clock : 0;
	int error = errno;
	bool ok = false;

	if (th) {
		weft_rt_writer_offer();
		ok = weft_rt_still_room(
			th, size, ev ? &clock : NULL, ev && is_kept(ev));
	} else if (!may_be_without()) {
		weft_rt_die("ovni_ev_add", "thread is not initialized");
	}
	errno = error;
	return ok;
}

static inline __attribute__((always_inline)) void
store(const struct ovni_ev *ev, uint64_t size)
{
	struct weft_ring *ring = weft_self;
	unsigned char *to;
	uint64_t pos;

	if (!weft_is_on((const char *)&ev->header.model))
		return;
	pos = weft_reserve(&ring->res, size);
	to = ring->base + (pos & ring->mask);
	/* Copies of fixed size are a few stores. Not a byte more: a handler's
	 * record may already lie after ours. */
	if (size == RECORD_HEAD)
		memcpy(to, ev, RECORD_HEAD);
	else if (size == RECORD_HEAD + 8)
		memcpy(to, ev, RECORD_HEAD + 8);
	else
		memcpy(to, ev, size);
	weft_publish(ring, pos);
}

__attribute__((cold, noinline)) static void
store_with_room(const struct ovni_ev *ev, uint64_t size)
{
	struct thread *th;
	int error = errno;

	if (!make_room(size, ev))
		return;
	store(ev, size);
	th = weft_rt_thread();
	if (th) /* NULL in a child that returns from a handler */
		weft_rt_still_end(th);
	errno = error;
}

CACHE_LINE void
ovni_ev_emit(struct ovni_ev *ev)
{
	unsigned nibble = ev->header.flags & 15u;
	uint64_t size = RECORD_HEAD + (nibble == 0 ? 0 : nibble + 1);

	if (weft_is_beyond(&weft_self->limit, weft_self->res + size))
		store_with_room(ev, size);
	else
		store(ev, size);
}

void
ovni_ev_jumbo_emit(struct ovni_ev *ev, const uint8_t *buf, uint32_t bufsize)
{
	static const char where[] = "ovni_ev_jumbo_emit";
	struct thread *th = weft_rt_thread();
	uint64_t time = ev->header.clock;
	uint32_t first;

	if (ovni_payload_size(ev) != 0)
		weft_rt_die(where, "the event payload must be empty");
	if (!th && !may_be_without())
		weft_rt_die("ovni_ev_add", "thread is not initialized");
	ev->header.flags = OVNI_EV_JUMBO | 3;
	ev->payload.jumbo.size = bufsize;
	memcpy(&first, ev, 4);
	if (th && weft_is_on((const char *)&ev->header.model))
		weft_rt_jumbo(th, first, &time, buf, bufsize);
}

void
ovni_flush(void)
{
	struct thread *th;

	if (weft_rt_is_confined())
		return;
	th = weft_rt_need_thread(__func__);
	if (th->stream.has_file)
		weft_rt_still_flush(th);
}

/* Takes the time in this function, so that handlers may interrupt it
 * anywhere. */
static void
mark(const char *where, const char *mcv, int32_t type, int64_t value)
{
	const uint64_t size = RECORD_HEAD + 12;
	unsigned char data[12];

	if (value == 0)
		weft_rt_die(where, "cannot use value 0");
	if (weft_is_beyond(&weft_self->limit, weft_self->res + size) &&
		!make_room(size, NULL))
		return;
	if (!weft_is_on(mcv))
		return;
	memcpy(data, &value, 8);
	memcpy(data + 8, &type, 4);
	weft_store(weft_self, weft_first(mcv, 12), data, 12);
}

void
ovni_mark_push(int32_t type, int64_t value)
{
	mark(__func__, "OM[", type, value);
}

void
ovni_mark_pop(int32_t type, int64_t value)
{
	mark(__func__, "OM]", type, value);
}

void
ovni_mark_set(int32_t type, int64_t value)
{
	mark(__func__, "OM=", type, value);
}
