/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/thread.h"

#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/clock.h"
#include "inproc/core/proc.h"
#include "inproc/core/signals.h"
#include "inproc/ovni/record.h"

/* The ring of a thread that has none: no room at all. */
static uint64_t none_head;
static struct weft_ring none = { .head = &none_head,
	.line = &weft_rt_clock_none };
WEFT_API __thread struct weft_ring *weft_self = &none;

struct thread weft_rt_thread_nobody = {
	.stream = { .ring = &weft_rt_thread_nobody.ring },
	.ring = { .head = &none_head, .line = &weft_rt_clock_none },
	.tid = -1,
	.cpu = -1
};

static __thread struct thread *self;
static __thread enum thread_state state;

struct thread *
weft_rt_thread(void)
{
	/* a fork wipes the pages of the parent's threads */
	return self && self->tid != 0 ? self : NULL;
}

enum thread_state
weft_rt_thread_state(void)
{
	if (state == THREAD_READY && !weft_rt_thread())
		return THREAD_NEW;
	return state;
}

void
weft_rt_thread_none(struct thread *th)
{
	th->stream.ring = &th->ring;
	th->ring.line = &weft_rt_clock_none;
	th->ring.head = &none_head;
}

struct thread *
weft_rt_thread_attach(struct thread *th)
{
	WEFT_ASSERT(thread_that_begins_is_new,
		weft_rt_thread_state() == THREAD_NEW);
	self = th;
	state = THREAD_READY;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	weft_self = &th->ring;
	return th;
}

void
weft_rt_thread_detach(void)
{
	sigset_t was;

	signals_block(&was);
	WEFT_ASSERT(thread_that_ends_has_begun,
		weft_rt_thread_state() == THREAD_READY);
	weft_self = &none;
	state = THREAD_FINISHED;
	self = NULL;
	signals_restore(&was);
}

bool
weft_rt_thread_tells(const struct thread *th)
{
	return __atomic_load_n(&weft_rt_proc->teller, __ATOMIC_RELAXED) == th;
}

void
weft_rt_thread_put(struct thread *th, uint32_t first, uint64_t time,
	const void *data, uint64_t n)
{
	struct weft_ring *r = &th->ring;
	uint64_t pos = weft_reserve(&r->res, RECORD_HEAD + n);
	unsigned char *to = r->base + (pos & r->mask);

	WEFT_ASSERT(thread_records_in_its_own_ring, weft_self == r);
	memcpy(to, &first, 4);
	memcpy(to + 4, &time, 8);
	if (n > 0)
		memcpy(to + RECORD_HEAD, data, n);
	weft_publish(r, pos);
}

struct meta_of
weft_rt_thread_meta(struct thread *th)
{
	return (struct meta_of){ .stream = &th->stream,
		.tid = th->tid,
		.has_clocks = weft_rt_thread_tells(th),
		.scratch = th->scratch,
		.temp = th->temp,
		.room = sizeof(th->scratch) };
}
