/* SPDX-License-Identifier: MIT */
#include "inproc/core/stream.h"

#include "inproc/core/clock.h"
#include "inproc/core/proc.h"

void
weft_rt_stream_set_up(struct stream *s, int tid, uint64_t start)
{
	struct ringfile *f = s->mem.file;

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
	s->next = weft_rt_proc->streams;
	weft_rt_proc->streams = s;
	weft_rt_proc->nstreams++;
}

void
weft_rt_stream_unlist(struct stream *s)
{
	struct stream **at = &weft_rt_proc->streams;

	while (*at && *at != s)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = s->next;
	weft_rt_proc->nstreams--;
}
