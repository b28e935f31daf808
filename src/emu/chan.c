/* SPDX-License-Identifier: MIT */
#include "emu/chan.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "export/sink.h"

void
chan_init(struct chan *ch, const struct chan_def *def)
{
	*ch = (struct chan){ .value = def->start != 0 ? def->start : VALUE_NONE,
		.disabled = def->off };
}

bool
chan_enable(struct chan *ch)
{
	bool was = ch->disabled;

	ch->disabled = false;
	return was;
}

bool
chan_disable(struct chan *ch)
{
	bool was = ch->disabled;

	ch->disabled = true;
	return !was;
}

void
chan_grow(struct chan *ch, struct arena *a)
{
	uint32_t cap = ch->cap == 0 ? 8 : ch->cap * 2;
	int64_t *stack = ARENA_ARRAY(a, int64_t, cap);

	if (ch->depth > 0)
		memcpy(stack, ch->stack, ch->depth * sizeof *stack);
	ch->stack = stack;
	ch->cap = cap;
}
