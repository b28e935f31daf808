/* SPDX-License-Identifier: MIT */
#include "export/stacks.h"

#include "base/arena.h"

void
stack_set(struct stacks *s, struct stack_lane *l, const struct stack_now *now)
{
	if (now->depth > l->room) {
		l->room = now->depth > 2 * l->room ? now->depth : 2 * l->room;
		l->value = ARENA_ARRAY(s->arena, int64_t, l->room);
	}
	if (now->depth > 0)
		memcpy(l->value, now->value, now->depth * sizeof *l->value);
	l->depth = now->depth;
}

static void __attribute__((noinline))
grow(struct stacks *s, struct stack_row *row, uint32_t type)
{
	uint32_t n = type + 1 > 2 * row->n ? type + 1 : 2 * row->n;
	uint32_t *lane = ARENA_ARRAY(s->arena, uint32_t, n);

	if (row->n > 0)
		memcpy(lane, row->lane, row->n * sizeof *lane);
	row->lane = lane;
	row->n = n;
}

struct stack_lane *__attribute__((noinline))
stacks_add(struct stacks *s, uint32_t row, uint32_t type)
{
	struct stack_row *r;
	struct stack_lane *l;

	while ((uint32_t)s->rows.n <= row)
		VEC_ADD(&s->rows, s->arena);
	r = &s->rows.at[row];
	if (type >= r->n)
		grow(s, r, type);
	l = VEC_ADD(&s->lanes, s->arena);
	l->row = row;
	l->type = type;
	r->lane[type] = (uint32_t)s->lanes.n;
	return l;
}
