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

enum chan_fault
chan_set(struct chan *ch, const struct chan_def *def, int64_t value)
{
	if (value == ch->value && !def->dup)
		return CHAN_SAME;
	ch->value = value;
	ch->lost = CHAN_KNOWN;
	return CHAN_OK;
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
