/* SPDX-License-Identifier: MIT */
#include "inproc/core/pool.h"

#include <string.h>
#include <sys/mman.h>

#include "inproc/core/assert.h"
#include "inproc/core/config.h"
#include "inproc/core/held.h"
#include "inproc/core/part.h"
#include "inproc/core/proc.h"
#include "inproc/core/stream.h"
#include "inproc/core/wiped.h"

struct stream *
weft_rt_pool_bare(void)
{
	return wiped_map(weft_rt_part_room.size, MAP_POPULATE);
}

void
weft_rt_pool_free(struct stream *s)
{
	weft_rt_ring_drop(&s->mem);
	munmap(s, weft_rt_part_room.size);
}

static bool
has_spare(const struct proc *p)
{
	bool has = false;

	for (int i = 0; i < SPARE_STREAMS; i++)
		has = has || p->spare[i] != NULL;
	return has;
}

struct stream *
weft_rt_pool_take(const char *beside)
{
	struct proc *p = weft_rt_proc;
	struct stream *s;

	WEFT_ASSERT(pool_is_taken_from_under_the_lock, held_is(RANK_PROC));
	for (int i = 0; i < SPARE_STREAMS; i++)
		if (p->spare[i]) {
			s = p->spare[i];
			p->spare[i] = NULL;
			if (!has_spare(p))
				weft_rt_proc_wake(); /* makes new ones */
			return s;
		}
	s = weft_rt_pool_bare();
	if (s)
		weft_rt_ring_make(&s->mem, weft_rt_config.ring_bytes, beside);
	return s;
}

/* Returns false if there are enough. */
static bool
keep(struct stream *s)
{
	struct proc *p = weft_rt_proc;

	WEFT_ASSERT(pool_is_filled_under_the_lock, held_is(RANK_PROC));
	for (int i = 0; i < SPARE_STREAMS; i++)
		if (!p->spare[i]) {
			p->spare[i] = s;
			return true;
		}
	return false;
}

void
weft_rt_pool_give(struct stream *s)
{
	bool is_tmpfs = s->mem.file && s->mem.kind == RING_TMPFS;

	if (s->mem.file)
		s->mem.file->id = 0;
	memset(&s->mem + 1, 0, weft_rt_part_room.zeroed - sizeof(s->mem));
	if (!is_tmpfs || weft_rt_proc->state != PROC_READY ||
		weft_rt_proc_is_closing() || !keep(s))
		weft_rt_pool_free(s);
}

static bool
is_full(void)
{
	bool is = true;

	weft_rt_lock(&weft_rt_proc->lock, NULL);
	for (int i = 0; i < SPARE_STREAMS; i++)
		is = is && weft_rt_proc->spare[i] != NULL;
	weft_rt_unlock(&weft_rt_proc->lock);
	return is;
}

void
weft_rt_pool_refill(void)
{
	struct proc *p = weft_rt_proc;
	struct stream *s;

	if (weft_rt_config.is_lean &&
		__atomic_load_n(&p->nstreams, __ATOMIC_RELAXED) < 2)
		return;
	while (!is_full()) {
		s = weft_rt_pool_bare();
		if (!s ||
			!weft_rt_ring_make(
				&s->mem, weft_rt_config.ring_bytes, NULL)) {
			if (s)
				weft_rt_pool_free(s);
			return;
		}
		weft_rt_lock(&p->lock, NULL);
		if (keep(s))
			s = NULL;
		weft_rt_unlock(&p->lock);
		if (s)
			weft_rt_pool_free(s);
	}
}

void
weft_rt_pool_drop(void)
{
	struct proc *p = weft_rt_proc;

	WEFT_ASSERT(pool_is_emptied_under_the_lock, held_is(RANK_PROC));
	for (int i = 0; i < SPARE_STREAMS; i++)
		if (p->spare[i]) {
			weft_rt_pool_free(p->spare[i]);
			p->spare[i] = NULL;
		}
}
