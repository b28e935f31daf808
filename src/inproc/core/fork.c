/* SPDX-License-Identifier: MIT */
#include "inproc/core/fork.h"

#include <pthread.h>
#include <sys/mman.h>

#include "inproc/core/assert.h"
#include "inproc/core/clock.h"
#include "inproc/core/gate.h"
#include "inproc/core/part.h"
#include "inproc/core/proc.h"
#include "inproc/core/stream.h"

/* The state in a stream's pages that a fork wipes. */
struct kept {
	struct stream *stream; /* NULL: none */
	struct weft_ring *at, ring;
	struct ringfile *file;
	unsigned char *data;
	const struct stream_format *format;
	uint64_t size;
};

/* One for each part that has streams. */
enum { STREAMS = 4 };
static __thread struct kept kept[STREAMS];

static void
keep(struct kept *k, struct stream *s)
{
	k->stream = s && s->mem.file && s->ring ? s : NULL;
	if (!k->stream)
		return;
	k->at = s->ring;
	k->ring = *s->ring;
	k->file = s->mem.file;
	k->data = s->mem.data;
	k->format = s->format;
	k->size = s->mem.file->size;
}

static void
before(void)
{
	struct kept *k = kept;

	for (const struct part *const *p = weft_rt_parts; *p; p++)
		if ((*p)->stream) {
			WEFT_ASSERT(parts_fit_what_a_fork_keeps,
				k < kept + STREAMS);
			keep(k++, (*p)->stream());
		}
}

/* Maps memory in place of the ring. */
static bool
fill(void *at, uint64_t size)
{
	return mmap(at, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       MAP_FIXED_NOREPLACE,
		       -1, 0) == at;
}

/* Gives the interrupted event its ring back; has_file is wiped, so nothing will
 * be written. No position is before the head. */
static void
restore(struct kept *k)
{
	struct stream *s = k->stream;

	if (!s || !fill(k->file, RINGFILE_PAGE) || !fill(k->data, 2 * k->size))
		return;
	k->file->size = k->size;
	k->file->head = k->file->tail = k->file->first = k->ring.res;
	s->mem.file = k->file;
	s->mem.data = k->data;
	s->mem.kind = RING_ANONYMOUS;
	s->mem.backed = k->size;
	s->format = k->format;
	*k->at = k->ring;
	k->at->limit = 0;
	s->ring = k->at;
}

static void
in_child(void)
{
	WEFT_ASSERT(child_begins_with_nothing,
		weft_rt_proc->state == PROC_NEW && !weft_rt_proc->streams &&
			weft_rt_proc->lock.word == 0);
	for (int i = 0; i < STREAMS; i++)
		restore(&kept[i]);
}

void
weft_rt_fork_load(void)
{
	pthread_atfork(before, NULL, in_child);
}

void
weft_rt_fork_forget(void)
{
	weft_rt_clock_forget();
	PART_CALL(forget);
	weft_rt_gate_ask_again();
}
