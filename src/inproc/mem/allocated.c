/* SPDX-License-Identifier: MIT */
#include "inproc/core/allocated.h"

#include <stddef.h>
#include <string.h>

#include "inproc/code/paths.h"
#include "inproc/mem/hook.h"
#include "inproc/mem/track.h"

/* A pool lies in a block of the heap or in a mapping, and is what the program
 * sees. */
static uint32_t
path_of(const void *at)
{
	struct index *const order[] = { &track.pools, &track.heap,
		&track.maps };
	uint32_t path = track.is_on ? 0 : ALLOCATED_UNSEEN;

	if (track.is_on)
		for (size_t i = 0;
			path == 0 && i < sizeof order / sizeof *order; i++)
			path = track_path(order[i], at);
	return path;
}

static int
callers_of(uint32_t path, uint64_t *caller, int room)
{
	const struct path *p = NULL;

	while ((p = paths_after(p)) != NULL && p->number != path)
		;
	if (p == NULL)
		return 0;
	if ((uint32_t)room > p->n)
		room = (int)p->n;
	memcpy(caller, p->address, (size_t)room * sizeof *caller);
	return room;
}

HOOK const struct allocated weft_allocated = { path_of, callers_of };
