/* SPDX-License-Identifier: MIT */
#include "inproc/core/stream.h"

#include "inproc/core/assert.h"
#include "inproc/core/clock.h"
#include "inproc/core/held.h"
#include "inproc/core/proc.h"

void
weft_rt_stream_set_up(struct stream *s, int tid, uint64_t start)
{
	struct ringfile *f = s->mem.file;

	WEFT_ASSERT(stream_that_begins_has_a_ring, f && s->ring);
	weft_rt_ring_reset(&s->mem, weft_rt_proc->pid, tid, start);
	s->ring->res = start;
	s->ring->head = &f->head;
	s->ring->base = s->mem.data;
	s->ring->mask = f->size - 1;
	weft_rt_ring_close(s->ring); /* the first event asks for room */
	s->paid = start;
	weft_rt_clock_attach(s->ring);
}

void
weft_rt_stream_list(struct stream *s)
{
	WEFT_ASSERT(streams_are_listed_under_the_lock, held_is(RANK_PROC));
	WEFT_ASSERT(stream_is_listed_once, !s->next);
	s->next = weft_rt_proc->streams;
	weft_rt_proc->streams = s;
	__atomic_fetch_add(&weft_rt_proc->nstreams, 1, __ATOMIC_RELAXED);
}

void
weft_rt_stream_unlist(struct stream *s)
{
	struct stream **at = &weft_rt_proc->streams;

	WEFT_ASSERT(streams_are_unlisted_under_the_lock, held_is(RANK_PROC));
	while (*at && *at != s)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = s->next;
	__atomic_fetch_sub(&weft_rt_proc->nstreams, 1, __ATOMIC_RELAXED);
}
