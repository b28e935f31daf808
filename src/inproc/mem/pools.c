/* SPDX-License-Identifier: MIT */
/* pools.c - the recorder's side of <weft/mem.h>. */
#include "inproc/mem/hook.h"
#include "inproc/mem/names.h"
#include "inproc/mem/track.h"
#include "mem/wire.h"
#include "weft/mem.h"

static void
set_name(struct block *b, const char *name)
{
	if (b == NULL || name == NULL)
		return;
	b->name = names_number(name);
	__atomic_fetch_or(&b->state, BLOCK_NAMED, __ATOMIC_RELEASE);
}

static void
add(const void *p, size_t bytes, const char *name)
{
	struct track_new t;

	if (!track.is_on || p == NULL || bytes == 0)
		return;
	/* an earlier registration there has ended */
	track_dead(track_dying(&track.pools, p));
	track_begin(&t, SIZE_MAX);
	track_end(&t, &track.pools, MEM_OBJECT_POOL, p, bytes, HERE);
	set_name(track_live(&track.pools, p), name);
}

static void
drop(const void *p)
{
	if (track.is_on)
		track_dead(track_dying(&track.pools, p));
}

static void
give_name(const void *p, const char *name)
{
	struct index *const order[] = { &track.pools, &track.heap,
		&track.maps };
	struct block *b = NULL;

	if (!track.is_on)
		return;
	for (int i = 0; b == NULL && i < 3; i++)
		b = track_live(order[i], p);
	set_name(b, name);
}

HOOK const struct weft_mem_calls weft_mem_recorder = { WEFT_MEM_CALLS, add,
	drop, give_name };
